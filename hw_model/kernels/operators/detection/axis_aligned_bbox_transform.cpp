// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "hw_model/kernels/operators/detection/boxes.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/real_values.h"

namespace vnpu::hw::kernels {
namespace {

enum : std::size_t { kBoxes, kDeltas, kBatches, kImages };  // as in NNAPI 1.3

JobStatus requireShapes(OperatorCall& call) {
    const std::uint32_t boxes = call.input(kBoxes).dimensions[0];
    const std::uint32_t deltas = call.input(kDeltas).dimensions[1];
    VNPU_TRY(requireDimensions(call, kBoxes, {boxes, kBoxSides}));
    VNPU_TRY(requireDimensions(call, kDeltas, {boxes, deltas}));
    if (deltas % kBoxSides != 0) {
        return call.refuse(fmt::format("input 1 has {} columns, expected a multiple of 4", deltas));
    }
    VNPU_TRY(requireDimensions(call, kBatches, {boxes}));
    return requireDimensions(call, kImages, {call.input(kImages).dimensions[0], 2});
}

JobStatus axisAlignedBboxTransform(OperatorCall& call) {
    VNPU_TRY(requireShapes(call));
    VNPU_TRY(call.settle(0, call.input(kDeltas).dimensions));
    const RealValues boxes(call, kBoxes), deltas(call, kDeltas), images(call, kImages);
    const std::uint32_t imageCount = call.input(kImages).dimensions[0];
    const auto batches = call.input(kBatches).values<std::int32_t>();
    for (std::size_t i = 0; i < batches.size(); ++i) {
        if (batches[i] < 0 || static_cast<std::uint32_t>(batches[i]) >= imageCount) {
            return call.refuse(fmt::format("box {} is in image {}, expected less than {}", i,
                                           batches[i], imageCount));
        }
    }
    VNPU_TRY(requireValidBoxes(call, "box", boxes.data(), batches.size()));
    RealResult result(call, 0);
    const std::size_t classes = call.input(kDeltas).dimensions[1] / kBoxSides;
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const Box box = Box::read(boxes.data() + i * kBoxSides);
        const auto image = static_cast<std::size_t>(batches[i]) * 2;
        for (std::size_t c = i * classes; c < (i + 1) * classes; ++c) {
            transformBox(box, deltas.data() + c * kBoxSides, images[image], images[image + 1])
                    .write(result.data() + c * kBoxSides);
        }
    }
    result.store();
    return JobStatus::kOk;
}

constexpr OperatorEntry kBoxTransformEntries[] = {
        {Operator::kAxisAlignedBboxTransform,
         {"T2D2v1T2", "T", kFloatTypes | typeSet({TensorType::kQuant16Asymm})},
         axisAlignedBboxTransform}};

}  // namespace

std::span<const OperatorEntry> boxTransformOperators() {
    return kBoxTransformEntries;
}

}  // namespace vnpu::hw::kernels
