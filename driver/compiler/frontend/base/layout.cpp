// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/layout.h"

#include <algorithm>

#include "driver/compiler/frontend/base/movement.h"

namespace vnpu::driver {
namespace {

CopyNode fromNchw(const Shape& shape, TensorId nchw, TensorId nhwc) {
    const std::uint64_t channels = shape[1];
    const std::uint64_t pixels = std::uint64_t{shape[2]} * shape[3];
    return {nchw,
            nhwc,
            {{shape[0], channels * pixels, channels * pixels},
             {pixels, 1, channels},
             {channels, pixels, 1}}};
}

}  // namespace

Checked<WindowGeometry> imageGeometry(const Tensor& input, bool isNchw) {
    if (input.shape.size() != 4) {
        return untiled();
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
    const TensorId copy = builder.temporary(image, {nchw[0], nchw[2], nchw[3], nchw[1]});
    addMovement(builder, operation, fromNchw(nchw, image, copy));
    return copy;
}

void fromNhwc(GraphBuilder& builder, std::uint32_t operation, TensorId image, TensorId wanted,
              bool isNchw) {
    if (isNchw) {
        addMovement(builder, operation,
                    reversed(fromNchw(builder.tensor(wanted).shape, wanted, image)));
    }
}

Shape4 imageBlocks(const Shape& image, bool isNchw) {
    return isNchw ? Shape4{1, image[0] * image[1], 1, 1} : Shape4{image[0], 1, 1, image[3]};
}

BlockOperand imageOperand(TensorId id, const Shape& image, bool isNchw) {
    BlockOperand operand;
    operand.tensor = id;
    const std::vector<std::uint64_t> strides = stridesOf(image);
    std::copy(strides.begin(), strides.end(), operand.strides.begin());
    const std::size_t rows = isNchw ? 2 : 1;
    operand.whole[rows] = image[rows];
    operand.whole[rows + 1] = image[rows + 1];
    return operand;
}

}  // namespace vnpu::driver
