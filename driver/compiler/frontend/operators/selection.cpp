// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "driver/compiler/frontend/base/lines.h"
#include "driver/compiler/frontend/base/vector_operator.h"
#include "driver/compiler/frontend/operators/reduction.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

Checked<void> lowerExtremeIndex(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 2));
    VNPU_TRY_ASSIGN(const auto source, readLines(builder, operation, 1));
    Shape shape = builder.tensor(source.input).shape;
    const Lines lines = linesAlong(shape, source.axis);
    shape.erase(shape.begin() + source.axis);
    VectorOperator work(builder, operation.op());
    work.input(lines.operand(source.input));
    work.int32(kLineDimension);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, atLeastRankOne(shape)));
    work.output(lines.result(output));
    builder.add(operation.index(), work.node(lines.dims(), kWholeLines));
    return {};
}

Checked<void> lowerTopK(GraphBuilder& builder, const OperationReader& operation) {
    if (operation.inputCount() != 2 || operation.outputCount() != 2) {
        return unsupported(fmt::format("{} inputs and {} outputs", operation.inputCount(),
                                       operation.outputCount()));
    }
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0, "input"));
    VNPU_TRY_ASSIGN(const auto k, operation.int32(1, "k"));
    if (!isSameQuantization(builder.tensor(input), builder.declaredOutput(operation)) ||
        builder.declaredOutput(operation, 1).type != OperandType::TENSOR_INT32) {
        return unsupported("outputs are not the input's values and indices");
    }
    Shape shape = builder.tensor(input).shape;
    const std::uint32_t columns = shape.back();
    if (k < 1 || static_cast<std::uint32_t>(k) > columns) {
        return unsupported(fmt::format("k is {}, expected 1 to {}", k, columns));
    }
    shape.back() = static_cast<std::uint32_t>(k);
    VNPU_TRY_ASSIGN(const auto values, builder.output(operation, shape, 0));
    VNPU_TRY_ASSIGN(const auto indexes, builder.output(operation, shape, 1));
    const auto rows = static_cast<std::uint32_t>(elementCount(shape) / shape.back());
    // Rows lie side by side; each block has all columns of its rows.
    const auto rowsOf = [](TensorId tensor, std::uint32_t extent) {
        return BlockOperand{tensor, 0, {0, 0, extent, 1}, {0, 0, 0, extent}};
    };
    VectorOperator work(builder, hw::Operator::kTopkV2);
    work.input(rowsOf(input, columns))
            .int32(k)
            .output(rowsOf(values, shape.back()))
            .output(rowsOf(indexes, shape.back()));
    builder.add(operation.index(), work.node({1, 1, rows, 1}, {}));
    return {};
}

}  // namespace

LoweringRows selectionRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::ARGMAX, {lowerExtremeIndex}},
            {OperationType::ARGMIN, {lowerExtremeIndex}},
            {OperationType::TOPK_V2, {lowerTopK}},
    };
    return kRows;
}

}  // namespace vnpu::driver
