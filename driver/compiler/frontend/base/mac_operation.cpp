// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/mac_operation.h"

#include <utility>
#include <vector>

#include "driver/compiler/frontend/base/half_precision.h"
#include "driver/compiler/frontend/base/layout.h"
#include "driver/compiler/frontend/base/vector_block.h"

namespace vnpu::driver {
namespace {

/// {multiplier, shift} of every output channel as the scale table holds them.
std::vector<std::int32_t> scaleTable(const Tensor& input, const Tensor& filter,
                                     const Tensor& output) {
    std::vector<std::int32_t> words;
    for (const float scale : filter.channelScales) {
        const auto scaling = productMultiplier(input.scale, scale, output.scale);
        words.push_back(scaling.multiplier);
        words.push_back(scaling.shift);
    }
    return words;
}

/// Copies a constant bias to the end of the driver's constants, where it lies before the scale
/// table that is added next, so that one transfer loads both.
void copyBias(GraphBuilder& builder, ConvNode& node) {
    if (node.bias == kNoTensor || !builder.isConstant(node.bias)) {
        return;
    }
    if (const auto bytes = builder.constantBytes(node.bias)) {
        const std::vector<std::byte> copy(bytes->begin(), bytes->end());
        Tensor bias = builder.tensor(node.bias);
        bias.byteOffset = 0;
        node.bias = builder.constant(std::move(bias), copy);
    }
}

}  // namespace

Checked<ConvNode> readMacOperands(GraphBuilder& builder, const OperationReader& operation) {
    ConvNode node;
    TensorId* const operands[] = {&node.input, &node.filter, &node.bias};
    for (std::size_t i = 0; i < std::size(operands); ++i) {
        if (i < 2 || !operation.isOmitted(i)) {
            VNPU_TRY_ASSIGN(const auto tensor, builder.input(operation, i));
            VNPU_TRY_ASSIGN(*operands[i], widen(builder, operation, tensor));
        }
    }
    return node;
}

Checked<void> requireBias(const GraphBuilder& builder, const ConvNode& node) {
    if (node.bias != kNoTensor &&
        elementCount(builder.tensor(node.bias).shape) != node.geometry.outputChannels) {
        return untiled();
    }
    return {};
}

void setArithmetic(GraphBuilder& builder, ConvNode& node, Activation activation) {
    const Tensor& input = builder.tensor(node.input);
    const Tensor& filter = builder.tensor(node.filter);
    const Tensor& output = builder.tensor(node.output);
    hw::MacConv& work = node.prototype;
    work.inputType = input.elementType();
    work.filterType = filter.elementType();
    work.outputType = output.elementType();
    QuantizedMultiplier scaling;
    if (work.inputType != hw::ElementType::kFloat32) {
        work.inputZeroPoint = input.zeroPoint;
        work.filterZeroPoint = filter.zeroPoint;
        scaling = productMultiplier(input.scale, filter.scale, output.scale);
    }
    work.outputStage = outputStage(output, activation, scaling);
    if (node.isDepthwise()) {
        work.flags |= hw::kMacDepthwise;
    }
    if (node.bias != kNoTensor) {
        work.outputStage.flags |= hw::kOutputHasBias;
    }
    if (!filter.channelScales.empty()) {
        work.outputStage.flags |= hw::kOutputPerChannel;
        const std::vector<std::int32_t> table = scaleTable(input, filter, output);
        copyBias(builder, node);
        node.scaleTable = builder.addConstant(std::as_bytes(std::span(table)), 4);
    }
}

MacImage openImage(GraphBuilder& builder, TensorId output, const Shape& nhwc, bool isNchw) {
    const TensorId wide = wideOutput(builder, output);
    return {isNchw ? builder.temporary(wide, nhwc) : wide, wide, output, isNchw};
}

void closeImage(GraphBuilder& builder, const OperationReader& operation, const MacImage& image) {
    fromNhwc(builder, operation.index(), image.image, image.wide, image.isNchw);
    narrow(builder, operation, image.wide, image.output);
}

void addConvolution(GraphBuilder& builder, const OperationReader& operation, ConvNode node,
                    TensorId output, const MacResult& result) {
    const MacImage image =
            openImage(builder, output, imageShape(node.geometry, false), result.isNchw);
    node.output = image.image;
    setArithmetic(builder, node, result.activation);
    builder.add(operation.index(), node);
    closeImage(builder, operation, image);
}

}  // namespace vnpu::driver
