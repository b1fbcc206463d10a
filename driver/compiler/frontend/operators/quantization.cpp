// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/vector_block.h"
#include "driver/compiler/frontend/base/vector_operator.h"
#include "driver/compiler/frontend/operators/families.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

/// All elements of `input` by one scale.
BlockNode makeDequantize(const GraphBuilder& builder, TensorId input, TensorId output,
                         float scale) {
    Tensor from = builder.tensor(input);
    const Tensor& to = builder.tensor(output);
    if (to.type == OperandType::TENSOR_FLOAT32) {
        hw::VecUnary work{};
        work.inputType = from.elementType();
        work.outputType = hw::ElementType::kFloat32;
        work.kind = hw::UnaryKind::kDequantize;
        work.inputZeroPoint = from.zeroPoint;
        work.scale = scale;
        return makeUnary(builder, input, output, work);
    }
    if (from.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        from.type = OperandType::TENSOR_QUANT8_SYMM;
    }
    from.scale = scale;
    return VectorOperator(builder, hw::Operator::kDequantize)
            .input(from, inOrder(input))
            .output(inOrder(output))
            .node(rowOf(from), {});
}

Checked<void> lowerQuantize(GraphBuilder& builder, const OperationReader& operation) {
    if (!isEngineType(operation.inputType(0))) {
        return untiled();
    }
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
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
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    const Tensor& from = builder.tensor(input);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, from.shape));
    if (from.channelScales.size() <= 1) {
        const float scale = from.channelScales.empty() ? from.scale : from.channelScales.front();
        builder.add(operation.index(), makeDequantize(builder, input, output, scale));
        return {};
    }
    const AxisSplit channels = splitAt(from.shape, from.channelDimension);
    for (std::size_t c = 0; c < channels.extent; ++c) {
        BlockNode node = makeDequantize(builder, input, output, from.channelScales[c]);
        node.dims = {1, 1, channels.outer, channels.inner};
        for (BlockOperand& operand : node.operands) {
            operand.offset = c * channels.inner;
            operand.strides = {0, 0, std::uint64_t{channels.extent} * channels.inner, 1};
        }
        builder.add(operation.index(), std::move(node));
    }
    return {};
}

}  // namespace

LoweringRows quantizationRows() {
    return {{OperationType::QUANTIZE, lowerQuantize, lowerUnaryOperator},
            {OperationType::DEQUANTIZE, lowerDequantize}};
}

}  // namespace vnpu::driver
