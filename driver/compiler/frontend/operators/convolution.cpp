// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/layout.h"
#include "driver/compiler/frontend/base/mac_operation.h"
#include "driver/compiler/frontend/base/window_arguments.h"
#include "driver/compiler/frontend/operators/families.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

/// Sets the geometry's filter and output channels, if the filter fits the input.
Checked<void> setFilter(const Shape& filter, ConvNode& node) {
    WindowGeometry& g = node.geometry;
    if (filter.size() != 4 || filter[1] > kMostWindowExtent || filter[2] > kMostWindowExtent) {
        return untiled();
    }
    g.filterHeight = filter[1];
    g.filterWidth = filter[2];
    g.outputChannels = filter[node.isDepthwise() ? 3 : 0];
    const bool fits =
            node.isDepthwise()
                    ? filter[0] == 1 &&
                              std::uint64_t{g.inputChannels} * node.depthMultiplier == filter[3]
                    : std::uint64_t{filter[3]} * node.groups == g.inputChannels &&
                              filter[0] % node.groups == 0;
    return fits ? Checked<void>{} : untiled();
}

Checked<void> lowerConvolution(GraphBuilder& builder, const OperationReader& operation) {
    const bool isDepthwise = operation.type() == OperationType::DEPTHWISE_CONV_2D;
    const bool isGrouped = operation.type() == OperationType::GROUPED_CONV_2D;
    VNPU_TRY_ASSIGN(const auto arguments,
                    readWindow(operation, 3, isDepthwise || isGrouped ? 1 : 0));
    VNPU_TRY_ASSIGN(auto node, readMacOperands(builder, operation));
    node.depthMultiplier = isDepthwise ? arguments.own[0] : 0;
    node.groups = isGrouped ? arguments.own[0] : 1;
    VNPU_TRY_ASSIGN(node.geometry, imageGeometry(builder.tensor(node.input), arguments.isNchw));
    VNPU_TRY(setFilter(builder.tensor(node.filter).shape, node));
    VNPU_TRY(requireBias(builder, node));
    VNPU_TRY(applyWindow(arguments, node.geometry));
    VNPU_TRY_ASSIGN(const auto output,
                    builder.output(operation, imageShape(node.geometry, arguments.isNchw)));
    node.input = toNhwc(builder, operation.index(), node.input, arguments.isNchw);
    addConvolution(builder, operation, node, output, {arguments.activation, arguments.isNchw});
    return {};
}

/// As a convolution of one column of pixels.
Checked<void> lowerFullyConnected(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto activation, operation.activation(3));
    VNPU_TRY_ASSIGN(auto node, readMacOperands(builder, operation));
    const Shape& filter = builder.tensor(node.filter).shape;
    const std::uint64_t elements = elementCount(builder.tensor(node.input).shape);
    if (filter.size() != 2 || elements % filter[1] != 0) {
        return untiled();
    }
    WindowGeometry& g = node.geometry;
    g.inputHeight = g.outputHeight = static_cast<std::uint32_t>(elements / filter[1]);
    g.inputChannels = filter[1];
    g.outputChannels = filter[0];
    VNPU_TRY(requireBias(builder, node));
    VNPU_TRY_ASSIGN(const auto output,
                    builder.output(operation, {g.outputHeight, g.outputChannels}));
    addConvolution(builder, operation, node, output, {activation});
    return {};
}

}  // namespace

LoweringRows convolutionRows() {
    return {{OperationType::CONV_2D, lowerConvolution},
            {OperationType::DEPTHWISE_CONV_2D, lowerConvolution},
            {OperationType::GROUPED_CONV_2D, lowerConvolution},
            {OperationType::FULLY_CONNECTED, lowerFullyConnected}};
}

}  // namespace vnpu::driver
