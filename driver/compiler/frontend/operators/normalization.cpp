// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "driver/compiler/frontend/base/lines.h"
#include "driver/compiler/frontend/base/vector_operator.h"
#include "driver/compiler/frontend/operators/families.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

/// `scalars` arguments stand between the input and the axis.
Checked<void> lowerLines(GraphBuilder& builder, const OperationReader& operation,
                         std::size_t scalars) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    const Shape shape = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto axis, operation.axis(1 + scalars, shape.size()));
    const Lines lines(shape, axis);
    VectorOperator work(builder, operation.op());
    work.input(lines.operand(input));
    VNPU_TRY(work.scalars(operation, 1, 1 + scalars));
    work.int32(kLineDimension);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    work.output(lines.operand(output));
    builder.add(operation.index(), work.node(lines.dims(), kWholeLines));
    return {};
}

template <std::size_t Scalars>
Checked<void> lowerLines(GraphBuilder& builder, const OperationReader& operation) {
    return lowerLines(builder, operation, Scalars);
}

Checked<void> lowerSoftmax(GraphBuilder& builder, const OperationReader& operation) {
    if (!isEngineType(operation.inputType(0))) {
        return untiled();
    }
    VNPU_TRY_ASSIGN(const auto beta, operation.float32(1));
    if (!std::isfinite(beta) || beta <= 0.0F) {
        return untiled();
    }
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    const Tensor& from = builder.tensor(input);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, from.shape));
    VNPU_TRY_ASSIGN(const auto axis, operation.axis(2, from.shape.size()));
    const Lines lines(from.shape, axis);

    BlockNode node;
    node.dims = lines.dims();
    node.isWhole = kWholeLines;
    node.operands = {lines.operand(input), lines.operand(output)};
    hw::VecSoftmax work{};
    work.type = from.elementType();
    if (work.type == hw::ElementType::kFloat32) {
        work.beta = beta;
    } else {
        const SoftmaxParameters parameters = softmaxParameters(beta, from.scale);
        work.inputMultiplier = parameters.multiplier;
        work.inputLeftShift = parameters.leftShift;
        work.diffMin = parameters.diffMin;
    }
    node.prototype = work;
    builder.add(operation.index(), std::move(node));
    return {};
}

Checked<void> lowerInstanceNormalization(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    VNPU_TRY_ASSIGN(const auto isChannelsFirst, operation.boolean(4));
    const Shape shape = builder.tensor(input).shape;
    if (shape.size() != 4) {
        return untiled();
    }
    const Shape4 dims = padToFour(shape);
    VectorOperator work(builder, operation.op());
    work.input({input, 0, denseStrides(dims)});
    VNPU_TRY(work.scalars(operation, 1, 4));
    work.boolean(isChannelsFirst);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    work.output({output, 0, denseStrides(dims)});
    const std::array<bool, 4> isWhole{false, !isChannelsFirst, true, isChannelsFirst};
    builder.add(operation.index(), work.node(dims, isWhole));
    return {};
}

}  // namespace

LoweringRows normalizationRows() {
    return {{OperationType::SOFTMAX, lowerSoftmax, lowerLines<1>},
            {OperationType::LOG_SOFTMAX, lowerLines<1>},
            {OperationType::L2_NORMALIZATION, lowerLines<0>},
            {OperationType::LOCAL_RESPONSE_NORMALIZATION, lowerLines<4>},
            {OperationType::INSTANCE_NORMALIZATION, lowerInstanceNormalization}};
}

}  // namespace vnpu::driver
