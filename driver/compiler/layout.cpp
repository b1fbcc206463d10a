// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/layout.h"

#include <fmt/format.h>

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
    CopyNode node;
    node.input = image;
    node.output = copy;
    node.dims = {nchw[0], static_cast<std::uint32_t>(pixels), nchw[1]};
    node.inputStrides = {channels * pixels, 1, pixels};
    node.outputStrides = {channels * pixels, channels, 1};
    builder.add(operation, std::move(node));
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
    CopyNode node;
    node.input = image;
    node.output = wanted;
    node.dims = {nchw[0], nchw[1], static_cast<std::uint32_t>(pixels)};
    node.inputStrides = {channels * pixels, 1, channels};
    node.outputStrides = {channels * pixels, pixels, 1};
    builder.add(operation, std::move(node));
}

}  // namespace vnpu::driver
