// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/lines.h"
#include "driver/compiler/frontend/base/vector_operator.h"
#include "driver/compiler/frontend/operators/families.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

Checked<void> lowerExtremeIndex(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    Shape shape = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto axis, operation.axis(1, shape.size()));
    const Lines lines(shape, axis);
    shape.erase(shape.begin() + axis);
    VectorOperator work(builder, operation.op());
    work.input(lines.operand(input)).int32(kLineDimension);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, atLeastRankOne(shape)));
    work.output(lines.result(output));
    builder.add(operation.index(), work.node(lines.dims(), kWholeLines));
    return {};
}

Checked<void> lowerTopK(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    VNPU_TRY_ASSIGN(const auto k, operation.int32(1));
    Shape shape = builder.tensor(input).shape;
    const std::uint32_t columns = shape.back();
    if (k < 1 || static_cast<std::uint32_t>(k) > columns) {
        return untiled();
    }
    shape.back() = static_cast<std::uint32_t>(k);
    VNPU_TRY_ASSIGN(const auto values, builder.output(operation, shape, 0));
    VNPU_TRY_ASSIGN(const auto indexes, builder.output(operation, shape, 1));
    const auto rows = static_cast<std::uint32_t>(elementCount(shape) / shape.back());
    // Rows lie side by side; each block has all columns of its rows.
    const auto rowsOf = [](TensorId tensor, std::uint32_t extent) {
        return BlockOperand{tensor, 0, {0, 0, extent, 1}, {0, 0, 0, extent}};
    };
    VectorOperator work(builder, operation.op());
    work.input(rowsOf(input, columns))
            .int32(k)
            .output(rowsOf(values, shape.back()))
            .output(rowsOf(indexes, shape.back()));
    builder.add(operation.index(), work.node({1, 1, rows, 1}, {}));
    return {};
}

}  // namespace

LoweringRows selectionRows() {
    return {{OperationType::ARGMAX, lowerExtremeIndex},
            {OperationType::ARGMIN, lowerExtremeIndex},
            {OperationType::TOPK_V2, lowerTopK}};
}

}  // namespace vnpu::driver
