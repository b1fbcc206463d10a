// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/mac_operation.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "driver/compiler/frontend/base/half_precision.h"
#include "driver/compiler/frontend/base/layout.h"
#include "driver/compiler/frontend/base/vector_block.h"

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::OperandType;

namespace {

/// Input `i`, of one of the allowed types; float16 widened.
Checked<TensorId> readOperand(GraphBuilder& builder, const OperationReader& operation,
                              std::size_t i, std::string_view what,
                              std::span<const OperandType> allowed) {
    VNPU_TRY_ASSIGN(auto tensor, builder.input(operation, i, what));
    VNPU_TRY(requireType(builder.tensor(tensor), what, allowed));
    return widen(builder, operation, tensor);
}

/// {multiplier, shift} of every output channel as the scale table holds them.
std::vector<std::byte> scaleTable(const Tensor& input, const Tensor& filter, const Tensor& output) {
    std::vector<std::int32_t> words;
    for (const float scale : filter.channelScales) {
        const auto scaling = convolutionMultiplier(input.scale, scale, output.scale);
        words.push_back(scaling.multiplier);
        words.push_back(scaling.shift);
    }
    std::vector<std::byte> bytes(words.size() * sizeof(std::int32_t));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

}  // namespace

Checked<MacOperands> readMacOperands(GraphBuilder& builder, const OperationReader& operation,
                                     bool allowsChannelScales) {
    constexpr OperandType kInputTypes[] = {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16,
                                           OperandType::TENSOR_QUANT8_ASYMM,
                                           OperandType::TENSOR_QUANT8_ASYMM_SIGNED};
    const OperandType type = operation.inputType(0);
    const bool isFloat = type == OperandType::TENSOR_FLOAT32 || type == OperandType::TENSOR_FLOAT16;
    std::vector<OperandType> filterTypes{type};
    if (allowsChannelScales && !isFloat) {
        filterTypes.push_back(OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL);
    }
    const OperandType biasType[] = {isFloat ? type : OperandType::TENSOR_INT32};
    const OperandType outputType[] = {type};
    VNPU_TRY(requireType(builder.declaredOutput(operation), "output", outputType));
    VNPU_TRY_ASSIGN(const auto input, readOperand(builder, operation, 0, "input", kInputTypes));
    VNPU_TRY_ASSIGN(const auto filter, readOperand(builder, operation, 1, "filter", filterTypes));
    MacOperands operands{input, filter, kNoTensor};
    if (!operation.isOmitted(2)) {
        VNPU_TRY_ASSIGN(operands.bias, readOperand(builder, operation, 2, "bias", biasType));
    }
    return operands;
}

Checked<void> requireBias(const GraphBuilder& builder, TensorId bias, std::uint32_t channels) {
    if (bias != kNoTensor && elementCount(builder.tensor(bias).shape) != channels) {
        return unsupported(fmt::format("bias has shape {}, expected [{}]",
                                       toText(builder.tensor(bias).shape), channels));
    }
    return {};
}

Checked<void> requireChannelScales(const Tensor& filter, std::uint32_t dimension,
                                   std::uint32_t channels) {
    if (filter.type != OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        return {};
    }
    if (filter.channelDimension != dimension || filter.channelScales.size() != channels) {
        return unsupported(fmt::format(
                "filter has {} scales along dimension {}, expected {} along {}",
                filter.channelScales.size(), filter.channelDimension, channels, dimension));
    }
    for (const float scale : filter.channelScales) {
        if (!std::isfinite(scale) || scale < 0.0F) {
            return unsupported(fmt::format("filter has a channel scale of {}", scale));
        }
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
        const bool hasChannelScales = !filter.channelScales.empty();
        work.inputZeroPoint = input.zeroPoint;
        work.filterZeroPoint = hasChannelScales ? 0 : filter.zeroPoint;
        if (!hasChannelScales) {
            scaling = convolutionMultiplier(input.scale, filter.scale, output.scale);
        }
    }
    work.outputStage = outputStage(output, activation, scaling);
    if (node.bias != kNoTensor) {
        work.outputStage.flags |= hw::kOutputHasBias;
    }
    if (work.inputType != hw::ElementType::kFloat32 && !filter.channelScales.empty()) {
        work.outputStage.flags |= hw::kOutputPerChannel;
        node.scaleTable = builder.addConstant(scaleTable(input, filter, output), 4);
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
