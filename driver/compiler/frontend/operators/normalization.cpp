// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "driver/compiler/frontend/base/data_operands.h"
#include "driver/compiler/frontend/base/lines.h"
#include "driver/compiler/frontend/base/vector_operator.h"
#include "driver/compiler/frontend/operators/reduction.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

Checked<void> lowerLines(GraphBuilder& builder, const OperationReader& operation,
                         std::size_t scalars) {
    const std::size_t axisInput = 1 + scalars;
    VNPU_TRY(operation.requireInputs(axisInput, axisInput + 1));
    VNPU_TRY_ASSIGN(const auto source, readLines(builder, operation, axisInput));
    const Shape shape = builder.tensor(source.input).shape;
    const Lines lines = linesAlong(shape, source.axis);
    VectorOperator work(builder, operation.op());
    work.input(lines.operand(source.input));
    for (std::size_t i = 1; i < axisInput; ++i) {
        VNPU_TRY(work.scalar(operation, i));
    }
    work.int32(kLineDimension);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    work.output(lines.operand(output));
    builder.add(operation.index(), work.node(lines.dims(), kWholeLines));
    return {};
}

Checked<void> lowerSoftmax(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 3));
    VNPU_TRY_ASSIGN(const auto beta, operation.float32(1, "beta"));
    if (!std::isfinite(beta) || beta <= 0.0F) {
        return unsupported(fmt::format("beta is {}, expected more than 0", beta));
    }
    VNPU_TRY_ASSIGN(const auto ends, readDataOperands(builder, operation));
    const Tensor& input = builder.tensor(ends.input);
    VNPU_TRY(requireProbability(builder.tensor(ends.output)));
    VNPU_TRY_ASSIGN(const auto axis, operation.axis(2, input.shape.size(), -1));
    const Lines lines = linesAlong(input.shape, axis);

    BlockNode node;
    node.dims = lines.dims();
    node.isWhole = kWholeLines;
    node.operands = {lines.operand(ends.input), lines.operand(ends.output)};
    hw::VecSoftmax work{};
    work.type = input.elementType();
    if (work.type == hw::ElementType::kFloat32) {
        work.beta = beta;
    } else {
        const SoftmaxParameters parameters = softmaxParameters(beta, input.scale);
        work.inputMultiplier = parameters.multiplier;
        work.inputLeftShift = parameters.leftShift;
        work.diffMin = parameters.diffMin;
    }
    node.prototype = work;
    builder.add(operation.index(), std::move(node));
    return {};
}

Checked<void> lowerL2Normalization(GraphBuilder& builder, const OperationReader& operation) {
    return lowerLines(builder, operation, 0);
}

Checked<void> lowerSoftmaxOperator(GraphBuilder& builder, const OperationReader& operation) {
    return lowerLines(builder, operation, 1);
}

Checked<void> lowerLocalResponse(GraphBuilder& builder, const OperationReader& operation) {
    return lowerLines(builder, operation, 4);
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
    VectorOperator work(builder, hw::Operator::kInstanceNormalization);
    work.input(operand(input));
    for (const std::size_t i : {1U, 2U, 3U}) {
        VNPU_TRY(work.scalar(operation, i));
    }
    work.boolean(isChannelsFirst);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    work.output(operand(output));
    const std::array<bool, 4> isWhole{false, !isChannelsFirst, true, isChannelsFirst};
    builder.add(operation.index(), work.node(dims, isWhole));
    return {};
}

}  // namespace

LoweringRows normalizationRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::SOFTMAX, {lowerSoftmax, lowerSoftmaxOperator}},
            {OperationType::LOG_SOFTMAX, {lowerSoftmaxOperator}},
            {OperationType::L2_NORMALIZATION, {lowerL2Normalization}},
            {OperationType::LOCAL_RESPONSE_NORMALIZATION, {lowerLocalResponse}},
            {OperationType::INSTANCE_NORMALIZATION, {lowerInstanceNormalization}},
    };
    return kRows;
}

}  // namespace vnpu::driver
