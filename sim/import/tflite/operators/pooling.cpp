// SPDX-License-Identifier: Apache-2.0
// Pools and resizes of images.
#include "sim/import/graph/pooling.h"
#include "sim/import/graph/image.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

template <graph::Pool kOp>
void importPool(Call& call) {
    call.requireInputs(1, 1);
    const auto& options = call.options<schema::Pool2DOptions>();
    call.set(0, graph::pool2d(call.emitter(), kOp, call.in(0),
                              {options.filter_height(), options.filter_width()}, windowOf(options),
                              clampOf(options.fused_activation()), call.form()));
}

template <bool kIsBilinear, typename Options>
void importResize(Call& call) {
    call.requireInputs(2, 2);
    const std::vector<std::int64_t> size = call.ints(1, "the new size");
    if (size.size() != 2 || size[0] < 1 || size[1] < 1 || size[0] > INT32_MAX ||
        size[1] > INT32_MAX) {
        throw Refusal(fmt::format("the new size has {} numbers, expected 2 above 0", size.size()));
    }
    call.set(0, graph::resize2d(
                        call.emitter(), call.in(0),
                        {static_cast<std::uint32_t>(size[0]), static_cast<std::uint32_t>(size[1]),
                         kIsBilinear, call.option(&Options::align_corners),
                         call.option(&Options::half_pixel_centers)},
                        call.form()));
}

constexpr Row kPoolingRows[] = {
        {1, "AVERAGE_POOL_2D", kImported, "AVERAGE_POOL_2D", importPool<graph::Pool::kAverage>},
        {12, "L2_POOL_2D", kImported, "L2_POOL_2D", importPool<graph::Pool::kL2>},
        {17, "MAX_POOL_2D", kImported, "MAX_POOL_2D", importPool<graph::Pool::kMax>},
        {23, "RESIZE_BILINEAR", kImported, "RESIZE_BILINEAR",
         importResize<true, schema::ResizeBilinearOptions>},
        {97, "RESIZE_NEAREST_NEIGHBOR", kImported, "RESIZE_NEAREST_NEIGHBOR",
         importResize<false, schema::ResizeNearestNeighborOptions>},
};

}  // namespace

std::span<const Row> poolingRows() {
    return kPoolingRows;
}

}  // namespace vnpu::sim::tflite
