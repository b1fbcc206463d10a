// SPDX-License-Identifier: Apache-2.0
// What works along one axis or over an image, as operators of the vector unit.
#include <fmt/format.h>

#include "driver/compiler/frontend/lowering.h"
#include "driver/compiler/frontend/vector_operator.h"

namespace vnpu::driver {
namespace {

constexpr std::int32_t kLineDimension = 2;  // of the index space {1, outer, length, inner}

/// A dense tensor as lines along one of its axes.
struct Lines {
    std::uint32_t outer = 1, length = 1, inner = 1;

    Shape4 dims() const { return {1, outer, length, inner}; }
    BlockOperand operand(TensorId tensor) const {
        return {tensor, 0, {0, std::uint64_t{length} * inner, inner, 1}};
    }
    /// One element for each line.
    BlockOperand result(TensorId tensor) const {
        BlockOperand operand{tensor, 0, {0, inner, 0, 1}};
        operand.droppedDimensions = 1U << kLineDimension;
        return operand;
    }
};

Lines linesAlong(const Shape& shape, std::uint32_t axis) {
    const std::span<const std::uint32_t> all(shape);
    return {static_cast<std::uint32_t>(elementCount(all.first(axis))), shape[axis],
            static_cast<std::uint32_t>(elementCount(all.subspan(axis + 1)))};
}

/// The input, and the axis that input `axisInput` gives or the last.
struct Source {
    TensorId input = kNoTensor;
    std::uint32_t axis = 0;
};

Checked<Source> readSource(GraphBuilder& builder, const OperationReader& operation,
                           std::size_t axisInput) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0, "input"));
    VNPU_TRY(requireTile(builder.tensor(input), "input"));
    VNPU_TRY_ASSIGN(const auto argument, operation.int32(axisInput, "axis", -1));
    VNPU_TRY_ASSIGN(const auto axis, resolveAxis(argument, builder.tensor(input).shape.size()));
    return Source{input, axis};
}

Checked<void> lowerLines(GraphBuilder& builder, const OperationReader& operation,
                         std::size_t scalars) {
    const std::size_t axisInput = 1 + scalars;
    VNPU_TRY(operation.requireInputs(axisInput, axisInput + 1));
    VNPU_TRY_ASSIGN(const auto source, readSource(builder, operation, axisInput));
    const Shape shape = builder.tensor(source.input).shape;
    const Lines lines = linesAlong(shape, source.axis);
    VectorOperator work(static_cast<hw::Operator>(operation.operation().type));
    work.input(builder.tensor(source.input), lines.operand(source.input));
    for (std::size_t i = 1; i < axisInput; ++i) {
        VNPU_TRY(work.scalar(operation, i));
    }
    work.int32(kLineDimension);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    work.output(builder.tensor(output), lines.operand(output));
    builder.add(operation.index(), work.node(lines.dims(), {false, false, true, false}));
    return {};
}

}  // namespace

Checked<void> lowerL2Normalization(GraphBuilder& builder, const OperationReader& operation) {
    return lowerLines(builder, operation, 0);
}

Checked<void> lowerSoftmaxOperator(GraphBuilder& builder, const OperationReader& operation) {
    return lowerLines(builder, operation, 1);
}

Checked<void> lowerLocalResponse(GraphBuilder& builder, const OperationReader& operation) {
    return lowerLines(builder, operation, 4);
}

Checked<void> lowerExtremeIndex(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 2));
    VNPU_TRY_ASSIGN(const auto source, readSource(builder, operation, 1));
    Shape shape = builder.tensor(source.input).shape;
    const Lines lines = linesAlong(shape, source.axis);
    shape.erase(shape.begin() + source.axis);
    if (shape.empty()) {
        shape.push_back(1);  // NNAPI has no tensors of rank 0
    }
    VectorOperator work(static_cast<hw::Operator>(operation.operation().type));
    work.input(builder.tensor(source.input), lines.operand(source.input));
    work.int32(kLineDimension);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    work.output(builder.tensor(output), lines.result(output));
    builder.add(operation.index(), work.node(lines.dims(), {false, false, true, false}));
    return {};
}

Checked<void> lowerInstanceNormalization(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(5, 5));
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0, "input"));
    VNPU_TRY_ASSIGN(const auto isChannelsFirst, operation.boolean(4, "layout", false));
    VNPU_TRY(requireTile(builder.tensor(input), "input"));
    const Shape shape = builder.tensor(input).shape;
    if (shape.size() != 4) {
        return unsupported(fmt::format("input has shape {}, expected rank 4", toText(shape)));
    }
    const Shape4 dims = padToFour(shape);
    const Shape4 dense = denseStrides(dims);
    const auto operand = [&](TensorId tensor) {
        return BlockOperand{tensor, 0, {dense[0], dense[1], dense[2], dense[3]}};
    };
    VectorOperator work(hw::Operator::kInstanceNormalization);
    work.input(builder.tensor(input), operand(input));
    for (const std::size_t i : {1U, 2U, 3U}) {
        VNPU_TRY(work.scalar(operation, i));
    }
    work.boolean(isChannelsFirst);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    work.output(builder.tensor(output), operand(output));
    const std::array<bool, 4> isWhole{false, !isChannelsFirst, true, isChannelsFirst};
    builder.add(operation.index(), work.node(dims, isWhole));
    return {};
}

}  // namespace vnpu::driver
