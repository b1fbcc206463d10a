// SPDX-License-Identifier: Apache-2.0
// Element by element, as operators of the vector unit: of one operand, of two, and SELECT.
#include <fmt/format.h>

#include "driver/compiler/frontend/block_layout.h"
#include "driver/compiler/frontend/lowering.h"
#include "driver/compiler/frontend/vector_operator.h"

namespace vnpu::driver {
namespace {

hw::Operator operatorOf(const OperationReader& operation) {
    return static_cast<hw::Operator>(operation.operation().type);
}

/// A tile that covers the elements of the block one after the other.
BlockOperand inOrder(TensorId tensor) {
    return {tensor, 0, {0, 0, 0, 1}};
}

/// An index space of one long row.
Shape4 rowOf(const Tensor& tensor) {
    return {1, 1, 1, static_cast<std::uint32_t>(elementCount(tensor.shape))};
}

}  // namespace

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
    VectorOperator work(operatorOf(operation));
    work.input(builder.tensor(a), operand(a)).input(builder.tensor(b), operand(b));
    if (operation.inputCount() == 3) {
        VNPU_TRY(work.scalar(operation, 2));
    }
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    work.output(builder.tensor(output), operand(output));
    BlockNode node = work.node(dims, {});
    joinDimensions(node);
    builder.add(operation.index(), std::move(node));
    return {};
}

Checked<void> lowerSelect(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(3, 3));
    VNPU_TRY_ASSIGN(const auto mask, builder.input(operation, 0, "mask"));
    const Shape shape = builder.tensor(mask).shape;
    VectorOperator work(operatorOf(operation));
    work.input(builder.tensor(mask), inOrder(mask));
    for (const std::size_t i : {1U, 2U}) {
        VNPU_TRY_ASSIGN(const auto choice, builder.input(operation, i, "choice"));
        const Tensor& tensor = builder.tensor(choice);
        VNPU_TRY(requireTile(tensor, "choice"));
        if (tensor.shape != shape) {
            return unsupported(fmt::format("choice (input {}) has shape {}, the mask {}", i,
                                           toText(tensor.shape), toText(shape)));
        }
        work.input(tensor, inOrder(choice));
    }
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    work.output(builder.tensor(output), inOrder(output));
    builder.add(operation.index(), work.node(rowOf(builder.tensor(output)), {}));
    return {};
}

Checked<void> lowerUnaryOperator(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(1, 2));
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0, "input"));
    VNPU_TRY(requireTile(builder.tensor(input), "input"));
    VNPU_TRY(requireTile(builder.declaredOutput(operation), "output"));
    VectorOperator work(operatorOf(operation));
    work.input(builder.tensor(input), inOrder(input));
    if (operation.inputCount() == 2) {
        VNPU_TRY(work.scalar(operation, 1));
    }
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, builder.tensor(input).shape));
    work.output(builder.tensor(output), inOrder(output));
    builder.add(operation.index(), work.node(rowOf(builder.tensor(output)), {}));
    return {};
}

}  // namespace vnpu::driver
