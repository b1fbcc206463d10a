// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/vector_block.h"
#include "driver/compiler/frontend/base/vector_operator.h"
#include "driver/compiler/frontend/operators/families.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

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
            scaling = productMultiplier(a.scale, b.scale, output.scale);
        }
    }
    work.outputStage = outputStage(output, activation, scaling);
    return work;
}

/// ADD and MUL with an activation, of the types that the arithmetic of the vector unit takes.
Checked<void> lowerArithmetic(GraphBuilder& builder, const OperationReader& operation) {
    if (!isEngineType(operation.inputType(0))) {
        return untiled();
    }
    VNPU_TRY_ASSIGN(const auto activation, operation.activation(2));
    VNPU_TRY_ASSIGN(const auto a, builder.input(operation, 0));
    VNPU_TRY_ASSIGN(const auto b, builder.input(operation, 1));
    VNPU_TRY_ASSIGN(const auto shape, broadcastBlock(builder.tensor(a), builder.tensor(b)));
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    BlockNode node;
    node.dims = padToFour(shape);
    for (const TensorId tensor : {a, b, output}) {
        node.operands.push_back(broadcastOperand(builder, tensor, node.dims));
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
    VNPU_TRY_ASSIGN(const auto a, builder.input(operation, 0));
    VNPU_TRY_ASSIGN(const auto b, builder.input(operation, 1));
    VNPU_TRY_ASSIGN(const auto shape, broadcastBlock(builder.tensor(a), builder.tensor(b)));
    const Shape4 dims = padToFour(shape);
    VectorOperator work(builder, operation.op());
    work.input(broadcastOperand(builder, a, dims)).input(broadcastOperand(builder, b, dims));
    VNPU_TRY(work.scalars(operation, 2, operation.inputCount()));
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    work.output(broadcastOperand(builder, output, dims));
    BlockNode node = work.node(dims, {});
    joinDimensions(node);
    builder.add(operation.index(), std::move(node));
    return {};
}

Checked<void> lowerSelect(GraphBuilder& builder, const OperationReader& operation) {
    const Shape& shape = builder.tensor(builder.tensorOf(operation.inputOperand(0))).shape;
    VectorOperator work(builder, operation.op());
    for (const std::size_t i : {0U, 1U, 2U}) {
        VNPU_TRY_ASSIGN(const auto input, builder.input(operation, i));
        if (builder.tensor(input).shape != shape) {
            return untiled();
        }
        work.input(inOrder(input));
    }
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    work.output(inOrder(output));
    builder.add(operation.index(), work.node(rowOf(builder.tensor(output)), {}));
    return {};
}

/// RELU, RELU1 or RELU6.
Activation activationOf(OperationType type) {
    return type == OperationType::RELU1   ? Activation::kRelu1
           : type == OperationType::RELU6 ? Activation::kRelu6
                                          : Activation::kRelu;
}

Checked<void> lowerRelu(GraphBuilder& builder, const OperationReader& operation) {
    if (!isEngineType(operation.inputType(0))) {
        return untiled();
    }
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    const Tensor& from = builder.tensor(input);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, from.shape));
    const Tensor& to = builder.tensor(output);
    const Activation activation = activationOf(operation.type());
    hw::VecUnary work{};
    if (isSameQuantization(from, to)) {
        work.inputType = work.outputType = from.elementType();
        work.kind = hw::UnaryKind::kClamp;
        work.outputStage = outputStage(to, activation, {});
    } else {
        work = requantization(from, to, activation);
    }
    builder.add(operation.index(), makeUnary(builder, input, output, work));
    return {};
}

Checked<void> lowerLogistic(GraphBuilder& builder, const OperationReader& operation) {
    if (!isEngineType(operation.inputType(0))) {
        return untiled();
    }
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    const Tensor& from = builder.tensor(input);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, from.shape));
    const bool isFloat = from.elementType() == hw::ElementType::kFloat32;
    hw::VecUnary work{};
    work.inputType = work.outputType = from.elementType();
    work.kind = isFloat ? hw::UnaryKind::kLogistic : hw::UnaryKind::kLut;
    BlockNode node = makeUnary(builder, input, output, work);
    if (!isFloat) {
        node.table = builder.addConstant(logisticTable(work.inputType, from.scale, from.zeroPoint,
                                                       builder.tensor(output).zeroPoint),
                                         16);
    }
    builder.add(operation.index(), std::move(node));
    return {};
}

}  // namespace

Checked<void> lowerUnaryOperator(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    VectorOperator work(builder, operation.op());
    work.input(inOrder(input));
    VNPU_TRY(work.scalars(operation, 1, operation.inputCount()));
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, builder.tensor(input).shape));
    work.output(inOrder(output));
    builder.add(operation.index(), work.node(rowOf(builder.tensor(output)), {}));
    return {};
}

LoweringRows elementwiseRows() {
    return {{OperationType::ADD, lowerArithmetic, lowerBinaryOperator},
            {OperationType::MUL, lowerArithmetic, lowerBinaryOperator},
            {OperationType::SUB, lowerBinaryOperator},
            {OperationType::DIV, lowerBinaryOperator},
            {OperationType::MAXIMUM, lowerBinaryOperator},
            {OperationType::MINIMUM, lowerBinaryOperator},
            {OperationType::POW, lowerBinaryOperator},
            {OperationType::PRELU, lowerBinaryOperator},
            {OperationType::EQUAL, lowerBinaryOperator},
            {OperationType::NOT_EQUAL, lowerBinaryOperator},
            {OperationType::LESS, lowerBinaryOperator},
            {OperationType::LESS_EQUAL, lowerBinaryOperator},
            {OperationType::GREATER, lowerBinaryOperator},
            {OperationType::GREATER_EQUAL, lowerBinaryOperator},
            {OperationType::LOGICAL_AND, lowerBinaryOperator},
            {OperationType::LOGICAL_OR, lowerBinaryOperator},
            {OperationType::TANH, lowerUnaryOperator},
            {OperationType::ELU, lowerUnaryOperator},
            {OperationType::HARD_SWISH, lowerUnaryOperator},
            {OperationType::ABS, lowerUnaryOperator},
            {OperationType::EXP, lowerUnaryOperator},
            {OperationType::FLOOR, lowerUnaryOperator},
            {OperationType::LOG, lowerUnaryOperator},
            {OperationType::NEG, lowerUnaryOperator},
            {OperationType::RSQRT, lowerUnaryOperator},
            {OperationType::SIN, lowerUnaryOperator},
            {OperationType::SQRT, lowerUnaryOperator},
            {OperationType::LOGICAL_NOT, lowerUnaryOperator},
            {OperationType::CAST, lowerUnaryOperator},
            {OperationType::SELECT, lowerSelect},
            {OperationType::RELU, lowerRelu, lowerUnaryOperator},
            {OperationType::RELU1, lowerRelu, lowerUnaryOperator},
            {OperationType::RELU6, lowerRelu, lowerUnaryOperator},
            {OperationType::LOGISTIC, lowerLogistic, lowerUnaryOperator}};
}

}  // namespace vnpu::driver
