// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/operators/elementwise.h"

#include <fmt/format.h>

#include "driver/compiler/frontend/base/vector_block.h"
#include "driver/compiler/frontend/base/vector_operator.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

/// A tile that covers the elements of the block one after the other.
BlockOperand inOrder(TensorId tensor) {
    return {tensor, 0, {0, 0, 0, 1}};
}

/// An index space of one long row.
Shape4 rowOf(const Tensor& tensor) {
    return {1, 1, 1, static_cast<std::uint32_t>(elementCount(tensor.shape))};
}

hw::VecEltwise arithmetic(const Tensor& a, const Tensor& b, const Tensor& output,
                          hw::EltwiseKind kind, Activation activation) {
    hw::VecEltwise work{};
    work.type = output.elementType();
    work.kind = kind;
    QuantizedMultiplier scaling;
    if (work.type != hw::ElementType::kFloat32) {
        work.inputZeroPoint[0] = a.zeroPoint;
        work.inputZeroPoint[1] = b.zeroPoint;
        if (kind == hw::EltwiseKind::kAdd) {
            const AddMultipliers add = addMultipliers(a.scale, b.scale, output.scale);
            for (int i = 0; i < 2; ++i) {
                work.inputMultiplier[i] = add.input[i].multiplier;
                work.inputShift[i] = add.input[i].shift;
            }
            work.leftShift = AddMultipliers::kLeftShift;
            scaling = add.output;
        } else {
            scaling = mulMultiplier(a.scale, b.scale, output.scale);
        }
    }
    work.outputStage = outputStage(output, activation, scaling);
    return work;
}

/// ADD and MUL with an activation, of the types that the arithmetic of the vector unit takes.
Checked<void> lowerArithmetic(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(3, 3));
    VNPU_TRY_ASSIGN(const auto activation, operation.activation(2));
    VNPU_TRY_ASSIGN(const auto a, builder.input(operation, 0, "first operand"));
    VNPU_TRY_ASSIGN(const auto b, builder.input(operation, 1, "second operand"));
    VNPU_TRY(requireType(builder.tensor(a), "first operand", dataTypes()));
    const OperandType type[] = {builder.tensor(a).type};
    VNPU_TRY(requireType(builder.tensor(b), "second operand", type));
    VNPU_TRY(requireType(builder.declaredOutput(operation), "output", type));
    VNPU_TRY_ASSIGN(const auto shape, broadcastBlock(builder.tensor(a), builder.tensor(b)));
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));

    BlockNode node;
    node.dims = padToFour(shape);
    for (const TensorId tensor : {a, b, output}) {
        const Shape4 dims = padToFour(builder.tensor(tensor).shape);
        node.operands.push_back({tensor, 0, broadcastStrides(dims, node.dims)});
    }
    joinDimensions(node);
    node.prototype = arithmetic(
            builder.tensor(a), builder.tensor(b), builder.tensor(output),
            operation.type() == OperationType::ADD ? hw::EltwiseKind::kAdd : hw::EltwiseKind::kMul,
            activation);
    builder.add(operation.index(), std::move(node));
    return {};
}

/// Any operation on two operands, as an operator of the vector unit, which takes every type.
Checked<void> lowerBinaryOperator(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 3));
    VNPU_TRY_ASSIGN(const auto a, builder.input(operation, 0, "first operand"));
    VNPU_TRY_ASSIGN(const auto b, builder.input(operation, 1, "second operand"));
    VNPU_TRY(requireTile(builder.tensor(a), "first operand"));
    VNPU_TRY(requireTile(builder.tensor(b), "second operand"));
    VNPU_TRY_ASSIGN(const auto shape, broadcastBlock(builder.tensor(a), builder.tensor(b)));
    const Shape4 dims = padToFour(shape);
    const auto operand = [&](TensorId tensor) {
        return BlockOperand{tensor, 0,
                            broadcastStrides(padToFour(builder.tensor(tensor).shape), dims)};
    };
    VectorOperator work(builder, operation.op());
    work.input(operand(a)).input(operand(b));
    if (operation.inputCount() == 3) {
        VNPU_TRY(work.scalar(operation, 2));
    }
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    work.output(operand(output));
    BlockNode node = work.node(dims, {});
    joinDimensions(node);
    builder.add(operation.index(), std::move(node));
    return {};
}

Checked<void> lowerSelect(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(3, 3));
    VNPU_TRY_ASSIGN(const auto mask, builder.input(operation, 0, "mask"));
    const Shape shape = builder.tensor(mask).shape;
    VectorOperator work(builder, operation.op());
    work.input(inOrder(mask));
    for (const std::size_t i : {1U, 2U}) {
        VNPU_TRY_ASSIGN(const auto choice, builder.input(operation, i, "choice"));
        const Tensor& tensor = builder.tensor(choice);
        VNPU_TRY(requireTile(tensor, "choice"));
        if (tensor.shape != shape) {
            return unsupported(fmt::format("choice (input {}) has shape {}, the mask {}", i,
                                           toText(tensor.shape), toText(shape)));
        }
        work.input(inOrder(choice));
    }
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    work.output(inOrder(output));
    builder.add(operation.index(), work.node(rowOf(builder.tensor(output)), {}));
    return {};
}

}  // namespace

Checked<void> lowerUnaryOperator(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(1, 2));
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0, "input"));
    VNPU_TRY(requireTile(builder.tensor(input), "input"));
    VNPU_TRY(requireTile(builder.declaredOutput(operation), "output"));
    VectorOperator work(builder, operation.op());
    work.input(inOrder(input));
    if (operation.inputCount() == 2) {
        VNPU_TRY(work.scalar(operation, 1));
    }
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, builder.tensor(input).shape));
    work.output(inOrder(output));
    builder.add(operation.index(), work.node(rowOf(builder.tensor(output)), {}));
    return {};
}

LoweringRows elementwiseRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::ADD, {lowerArithmetic, lowerBinaryOperator}},
            {OperationType::MUL, {lowerArithmetic, lowerBinaryOperator}},
            {OperationType::SUB, {lowerBinaryOperator}},
            {OperationType::DIV, {lowerBinaryOperator}},
            {OperationType::MAXIMUM, {lowerBinaryOperator}},
            {OperationType::MINIMUM, {lowerBinaryOperator}},
            {OperationType::POW, {lowerBinaryOperator}},
            {OperationType::PRELU, {lowerBinaryOperator}},
            {OperationType::EQUAL, {lowerBinaryOperator}},
            {OperationType::NOT_EQUAL, {lowerBinaryOperator}},
            {OperationType::LESS, {lowerBinaryOperator}},
            {OperationType::LESS_EQUAL, {lowerBinaryOperator}},
            {OperationType::GREATER, {lowerBinaryOperator}},
            {OperationType::GREATER_EQUAL, {lowerBinaryOperator}},
            {OperationType::LOGICAL_AND, {lowerBinaryOperator}},
            {OperationType::LOGICAL_OR, {lowerBinaryOperator}},
            {OperationType::TANH, {lowerUnaryOperator}},
            {OperationType::ELU, {lowerUnaryOperator}},
            {OperationType::HARD_SWISH, {lowerUnaryOperator}},
            {OperationType::ABS, {lowerUnaryOperator}},
            {OperationType::EXP, {lowerUnaryOperator}},
            {OperationType::FLOOR, {lowerUnaryOperator}},
            {OperationType::LOG, {lowerUnaryOperator}},
            {OperationType::NEG, {lowerUnaryOperator}},
            {OperationType::RSQRT, {lowerUnaryOperator}},
            {OperationType::SIN, {lowerUnaryOperator}},
            {OperationType::SQRT, {lowerUnaryOperator}},
            {OperationType::LOGICAL_NOT, {lowerUnaryOperator}},
            {OperationType::CAST, {lowerUnaryOperator}},
            {OperationType::SELECT, {lowerSelect}},
    };
    return kRows;
}

}  // namespace vnpu::driver
