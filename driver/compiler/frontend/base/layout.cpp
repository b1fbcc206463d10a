// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "driver/compiler/frontend/base/movement.h"

namespace vnpu::driver {

Checked<WindowGeometry> imageGeometry(const Tensor& input, bool isNchw) {
    if (input.shape.size() != 4) {
        return unsupported(fmt::format("input has shape {}, expected rank 4", toText(input.shape)));
    }
    WindowGeometry geometry;
    geometry.batches = input.shape[0];
    geometry.inputHeight = input.shape[isNchw ? 2 : 1];
    geometry.inputWidth = input.shape[isNchw ? 3 : 2];
    geometry.inputChannels = input.shape[isNchw ? 1 : 3];
    geometry.outputChannels = geometry.inputChannels;
    return geometry;
}

Shape imageShape(const WindowGeometry& g, bool isNchw) {
    if (isNchw) {
        return {g.batches, g.outputChannels, g.outputHeight, g.outputWidth};
    }
    return {g.batches, g.outputHeight, g.outputWidth, g.outputChannels};
}

TensorId toNhwc(GraphBuilder& builder, std::uint32_t operation, TensorId image, bool isNchw) {
    if (!isNchw) {
        return image;
    }
    const Shape nchw = builder.tensor(image).shape;
    const std::uint64_t channels = nchw[1];
    const std::uint64_t pixels = std::uint64_t{nchw[2]} * nchw[3];
    const TensorId copy = builder.temporary(image, {nchw[0], nchw[2], nchw[3], nchw[1]});
    addMovement(builder, operation,
                {image,
                 copy,
                 {{nchw[0], channels * pixels, channels * pixels},
                  {pixels, 1, channels},
                  {channels, pixels, 1}},
                 0,
                 0});
    return copy;
}

void fromNhwc(GraphBuilder& builder, std::uint32_t operation, TensorId image, TensorId wanted,
              bool isNchw) {
    if (!isNchw) {
        return;
    }
    const Shape nchw = builder.tensor(wanted).shape;
    const std::uint64_t channels = nchw[1];
    const std::uint64_t pixels = std::uint64_t{nchw[2]} * nchw[3];
    addMovement(builder, operation,
                {image,
                 wanted,
                 {{nchw[0], channels * pixels, channels * pixels},
                  {channels, 1, pixels},
                  {pixels, channels, 1}},
                 0,
                 0});
}

Shape4 imageBlocks(const Shape& image, bool isNchw) {
    return isNchw ? Shape4{1, image[0] * image[1], 1, 1} : Shape4{image[0], 1, 1, image[3]};
}

BlockOperand imageOperand(TensorId id, const Shape& image, bool isNchw) {
    BlockOperand operand;
    operand.tensor = id;
    const std::vector<std::uint64_t> strides = stridesOf(image);
    std::copy(strides.begin(), strides.end(), operand.strides.begin());
    for (const std::size_t d :
         isNchw ? std::array<std::size_t, 2>{2, 3} : std::array<std::size_t, 2>{1, 2}) {
        operand.whole[d] = image[d];
    }
    return operand;
}

}  // namespace vnpu::driver
