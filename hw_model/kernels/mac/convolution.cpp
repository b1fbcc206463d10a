// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac/convolution.h"

#include <utility>

namespace vnpu::hw::kernels {

void convolve(const MacBackend& backend, const Convolution& convolution) {
    const auto kind = convolution.isDepthwise ? convolveDepthwise : convolveNormal;
    kind(backend, convolution);
}

std::size_t evenStep(const Convolution& convolution, const PixelStrides& steps) {
    const std::pair<std::size_t, std::size_t> axes[] = {
            {steps.pixel, static_cast<std::size_t>(convolution.columns.output)},
            {steps.row, static_cast<std::size_t>(convolution.rows.output)},
            {steps.image, convolution.images}};
    std::size_t step = steps.pixel;
    std::size_t count = 1;
    for (const auto& [bytes, extent] : axes) {
        if (extent == 1) {
            continue;
        }
        if (count == 1) {
            step = bytes;
        } else if (bytes != step * count) {
            return 0;
        }
        count *= extent;
    }
    return step;
}

}  // namespace vnpu::hw::kernels
