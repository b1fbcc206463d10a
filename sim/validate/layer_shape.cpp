// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/layer_shape.h"

#include "sim/models/layer_builder.h"
#include "sim/validate/rounding.h"

namespace vnpu::sim {

std::uint32_t LayerShape::outputHeight() const {
    return divideUp(inputHeight - filterHeight, stride) + 1;
}

std::uint32_t LayerShape::outputWidth() const {
    return divideUp(inputWidth - filterWidth, stride) + 1;
}

hw::GemmShape LayerShape::gemm() const {
    if (isProduct()) {
        return {.m = rows, .n = filters, .k = channels};
    }
    return {.m = std::uint64_t{outputHeight()} * outputWidth(),
            .n = filters,
            .k = std::uint64_t{filterHeight} * filterWidth * channels};
}

Network layerNetwork(const LayerShape& shape) {
    NetworkOptions options;
    options.zeroWeights = true;
    options.batch = shape.isProduct() ? shape.rows : 1;
    LayerBuilder net("layer", Numeric::kInt8, options);
    if (shape.isProduct()) {
        return net.build(net.fullyConnected("product", net.input("input", {shape.channels}),
                                            shape.filters, LayerBuilder::Activation::NONE));
    }
    // As large as the windows reach, even where the last ones extend beyond the given size.
    const Layer input =
            net.input("input", {(shape.outputHeight() - 1) * shape.stride + shape.filterHeight,
                                (shape.outputWidth() - 1) * shape.stride + shape.filterWidth,
                                shape.channels});
    return net.build(net.conv("convolution", input, shape.filters,
                              {.height = shape.filterHeight,
                               .width = shape.filterWidth,
                               .stride = shape.stride,
                               .padding = WindowSpec::Padding::kValid},
                              LayerBuilder::Activation::NONE));
}

}  // namespace vnpu::sim
