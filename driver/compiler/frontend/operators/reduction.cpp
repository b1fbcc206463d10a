// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/vector_operator.h"
#include "driver/compiler/frontend/operators/families.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

/// Input 1 of a reduction of `rank` dimensions. Bit d set: dimension d is reduced.
Checked<std::uint32_t> readReductionAxes(const OperationReader& operation, std::size_t rank) {
    VNPU_TRY_ASSIGN(const auto axes, operation.int32s(1));
    std::uint32_t mask = 0;
    for (const std::int32_t argument : axes) {
        VNPU_TRY_ASSIGN(const auto axis, resolveAxis(argument, rank));
        mask |= 1U << axis;
    }
    return mask;
}

/// The shape of a reduction's output.
Shape reducedShape(const Shape& shape, std::uint32_t mask, bool keepsDimensions) {
    Shape result;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const bool isReduced = (mask & (1U << d)) != 0;
        if (!isReduced || keepsDimensions) {
            result.push_back(isReduced ? 1 : shape[d]);
        }
    }
    return atLeastRankOne(result);
}

/// The index space of a reduction, and both tensors in it.
struct Reduction {
    Shape4 dims{1, 1, 1, 1};
    std::array<bool, 4> isReduced{};
    BlockOperand read, written;
};

/// `extents`: of up to four dimensions. Bit d of `mask` set: dimension d is reduced.
Reduction layOut(const Shape& extents, std::uint32_t mask, TensorId from, TensorId to) {
    Reduction reduction;
    reduction.dims = padToFour(extents);
    const std::size_t pad = 4 - extents.size();
    Shape4 kept = reduction.dims;
    for (std::size_t d = pad; d < 4; ++d) {
        reduction.isReduced[d] = (mask >> (d - pad) & 1U) != 0;
        kept[d] = reduction.isReduced[d] ? 1 : kept[d];
    }
    reduction.read = {from, 0, denseStrides(reduction.dims)};
    reduction.written = {to, 0, denseStrides(kept)};
    for (std::size_t d = 0; d < 4; ++d) {
        reduction.written.strides[d] = reduction.isReduced[d] ? 0 : reduction.written.strides[d];
    }
    return reduction;
}

/// MEAN of the types and ranks that the vector unit reduces by itself.
Checked<void> lowerMean(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    const Tensor& from = builder.tensor(input);
    if (!isEngineType(from.type) || from.shape.size() > 4) {
        return untiled();
    }
    VNPU_TRY_ASSIGN(const auto mask, readReductionAxes(operation, from.shape.size()));
    VNPU_TRY_ASSIGN(const auto keeps, operation.int32(2));
    if (mask == 0) {
        return untiled();
    }
    VNPU_TRY_ASSIGN(const auto output,
                    builder.output(operation, reducedShape(from.shape, mask, keeps > 0)));
    const Reduction reduction = layOut(from.shape, mask, input, output);
    hw::VecReduce work{};
    work.type = from.elementType();
    work.reduceMask = static_cast<std::uint8_t>(mask << (4 - from.shape.size()));
    work.inputZeroPoint = work.type == hw::ElementType::kFloat32 ? 0 : from.zeroPoint;
    BlockNode node;
    node.dims = reduction.dims;
    node.isWhole = reduction.isReduced;
    node.operands = {reduction.read, reduction.written};
    node.prototype = work;
    builder.add(operation.index(), std::move(node));
    return {};
}

/// The input's dimensions; neighbors that are both reduced or both kept are joined.
struct Groups {
    Shape extents;
    std::uint32_t mask = 0;  // bit g set: group g is reduced
};

Groups groupDimensions(const Shape& shape, std::uint32_t mask) {
    Groups groups;
    bool wasReduced = false;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == 1) {
            continue;
        }
        const bool isReduced = (mask >> d & 1U) != 0;
        if (!groups.extents.empty() && wasReduced == isReduced) {
            groups.extents.back() *= shape[d];
        } else {
            groups.mask |= (isReduced ? 1U : 0U) << groups.extents.size();
            groups.extents.push_back(shape[d]);
        }
        wasReduced = isReduced;
    }
    return groups;
}

/// The tile's axes. There must be one: along a dimension of one element if nothing is reduced, as
/// then only one dimension, the last, is kept.
std::vector<std::int32_t> axesOf(const Reduction& reduction) {
    std::vector<std::int32_t> axes;
    for (std::size_t d = 0; d < 4; ++d) {
        if (reduction.isReduced[d]) {
            axes.push_back(static_cast<std::int32_t>(d));
        }
    }
    return axes.empty() ? std::vector<std::int32_t>{0} : axes;
}

/// Any reduction as an operator of the vector unit.
Checked<void> lowerReductionOperator(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    const Shape shape = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto mask, readReductionAxes(operation, shape.size()));
    VNPU_TRY_ASSIGN(const auto keeps, operation.int32(2));  // MEAN has a number, the others a bool
    const Groups groups = groupDimensions(shape, mask);
    if (groups.extents.size() > 4) {
        return untiled();
    }
    VNPU_TRY_ASSIGN(const auto output,
                    builder.output(operation, reducedShape(shape, mask, keeps > 0)));
    const Reduction reduction = layOut(groups.extents, groups.mask, input, output);
    VectorOperator work(builder, operation.op());
    work.input(reduction.read).int32s(axesOf(reduction));
    if (operation.type() == OperationType::MEAN) {
        work.int32(1);
    } else {
        work.boolean(true);
    }
    work.output(reduction.written);
    builder.add(operation.index(), work.node(reduction.dims, reduction.isReduced));
    return {};
}

}  // namespace

LoweringRows reductionRows() {
    return {{OperationType::MEAN, lowerMean, lowerReductionOperator},
            {OperationType::REDUCE_ALL, lowerReductionOperator},
            {OperationType::REDUCE_ANY, lowerReductionOperator},
            {OperationType::REDUCE_MAX, lowerReductionOperator},
            {OperationType::REDUCE_MIN, lowerReductionOperator},
            {OperationType::REDUCE_PROD, lowerReductionOperator},
            {OperationType::REDUCE_SUM, lowerReductionOperator}};
}

}  // namespace vnpu::driver
