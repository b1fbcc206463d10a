// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "driver/compiler/frontend/base/vector_block.h"
#include "driver/compiler/frontend/base/vector_operator.h"
#include "driver/compiler/frontend/operators/elementwise.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

/// One for the tensor, or one per channel.
Checked<std::vector<float>> readScales(const Tensor& input) {
    std::vector<float> scales{input.scale};
    if (input.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        scales = input.channelScales;
        if (input.channelDimension >= input.shape.size() ||
            scales.size() != input.shape[input.channelDimension]) {
            return unsupported(fmt::format("input of shape {} has {} scales along dimension {}",
                                           toText(input.shape), scales.size(),
                                           input.channelDimension));
        }
    }
    for (const float scale : scales) {
        if (!(scale > 0.0F)) {
            return unsupported(fmt::format("input has a channel scale of {}", scale));
        }
    }
    return scales;
}

/// All elements of `input` by one scale.
BlockNode makeDequantize(const GraphBuilder& builder, TensorId input, TensorId output,
                         float scale) {
    Tensor from = builder.tensor(input);
    const Tensor& to = builder.tensor(output);
    const bool isSymmetric = from.type == OperandType::TENSOR_QUANT8_SYMM ||
                             from.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    if (to.type == OperandType::TENSOR_FLOAT32) {
        hw::VecUnary work{};
        work.inputType = from.elementType();
        work.outputType = hw::ElementType::kFloat32;
        work.kind = hw::UnaryKind::kDequantize;
        work.inputZeroPoint = isSymmetric ? 0 : from.zeroPoint;
        work.scale = scale;
        return makeUnary(builder, input, output, work);
    }
    if (isSymmetric) {
        from.type = OperandType::TENSOR_QUANT8_SYMM;
    }
    from.scale = scale;
    const auto elements = static_cast<std::uint32_t>(elementCount(from.shape));
    return VectorOperator(builder, hw::Operator::kDequantize)
            .input(from, {input, 0, {0, 0, elements, 1}})
            .output({output, 0, {0, 0, elements, 1}})
            .node({1, 1, 1, elements}, {});
}

Checked<void> lowerQuantize(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(1, 1));
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0, "input"));
    constexpr OperandType kFrom[] = {OperandType::TENSOR_FLOAT32};
    constexpr OperandType kTo[] = {OperandType::TENSOR_QUANT8_ASYMM,
                                   OperandType::TENSOR_QUANT8_ASYMM_SIGNED};
    VNPU_TRY(requireType(builder.tensor(input), "input", kFrom));
    VNPU_TRY(requireType(builder.declaredOutput(operation), "output", kTo));
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, builder.tensor(input).shape));
    hw::VecUnary work{};
    work.inputType = hw::ElementType::kFloat32;
    work.outputType = builder.tensor(output).elementType();
    work.kind = hw::UnaryKind::kQuantize;
    work.scale = builder.tensor(output).scale;
    work.outputStage = outputStage(builder.tensor(output), Activation::kNone, {});
    builder.add(operation.index(), makeUnary(builder, input, output, work));
    return {};
}

Checked<void> lowerDequantize(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(1, 1));
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0, "input"));
    constexpr OperandType kFrom[] = {
            OperandType::TENSOR_QUANT8_ASYMM, OperandType::TENSOR_QUANT8_ASYMM_SIGNED,
            OperandType::TENSOR_QUANT8_SYMM, OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL};
    constexpr OperandType kTo[] = {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16};
    VNPU_TRY(requireType(builder.tensor(input), "input", kFrom));
    VNPU_TRY(requireType(builder.declaredOutput(operation), "output", kTo));
    VNPU_TRY_ASSIGN(const auto scales, readScales(builder.tensor(input)));
    const Shape shape = builder.tensor(input).shape;
    const std::uint32_t channelDimension = builder.tensor(input).channelDimension;
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    const std::span<const std::uint32_t> dims(shape);
    for (std::size_t c = 0; c < scales.size(); ++c) {
        BlockNode node = makeDequantize(builder, input, output, scales[c]);
        if (scales.size() > 1) {
            const std::uint64_t inner = elementCount(dims.subspan(channelDimension + 1));
            node.dims = {1, 1,
                         static_cast<std::uint32_t>(elementCount(dims.first(channelDimension))),
                         static_cast<std::uint32_t>(inner)};
            for (BlockOperand& operand : node.operands) {
                operand.offset = c * inner;
                operand.strides = {0, 0, scales.size() * inner, 1};
            }
        }
        builder.add(operation.index(), std::move(node));
    }
    return {};
}

}  // namespace

LoweringRows quantizationRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::QUANTIZE, {lowerQuantize, lowerUnaryOperator}},
            {OperationType::DEQUANTIZE, {lowerDequantize}},
    };
    return kRows;
}

}  // namespace vnpu::driver
