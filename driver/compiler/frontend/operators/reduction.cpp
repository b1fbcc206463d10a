// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "driver/compiler/frontend/base/vector_operator.h"
#include "driver/compiler/frontend/operators/reduction.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

/// Input 1 of a reduction of `rank` dimensions. Bit d set: dimension d is reduced.
Checked<std::uint32_t> readReductionAxes(const OperationReader& operation, std::size_t rank) {
    VNPU_TRY_ASSIGN(const auto axes, operation.int32s(1, "axes"));
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

BlockNode makeReduction(const Tensor& input, TensorId from, TensorId to, std::uint32_t mask) {
    BlockNode node;
    node.dims = padToFour(input.shape);
    hw::VecReduce work{};
    work.type = input.elementType();
    work.reduceMask = static_cast<std::uint8_t>(mask << (4 - input.shape.size()));
    if (work.type != hw::ElementType::kFloat32) {
        work.inputZeroPoint = input.zeroPoint;
    }
    Shape4 kept = node.dims;
    for (std::size_t d = 0; d < 4; ++d) {
        node.isWhole[d] = (work.reduceMask & (1U << d)) != 0;
        kept[d] = node.isWhole[d] ? 1 : kept[d];
    }
    BlockOperand read{from, 0, {}};
    BlockOperand written{to, 0, {}};
    const Shape4 readStrides = denseStrides(node.dims);
    const Shape4 writtenStrides = denseStrides(kept);
    for (std::size_t d = 0; d < 4; ++d) {
        read.strides[d] = readStrides[d];
        written.strides[d] = node.isWhole[d] ? 0 : writtenStrides[d];
    }
    node.operands = {read, written};
    node.prototype = work;
    return node;
}

/// MEAN of the types and ranks that the vector unit reduces by itself.
Checked<void> lowerMean(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(3, 3));
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0, "input"));
    VNPU_TRY(requireType(builder.tensor(input), "input", dataTypes()));
    if (!isSameQuantization(builder.tensor(input), builder.declaredOutput(operation))) {
        return unsupported("output differs from the input in type, scale or zero point");
    }
    const Shape& shape = builder.tensor(input).shape;
    if (shape.size() > 4) {
        return unsupported(fmt::format("input has shape {}, expected rank up to 4", toText(shape)));
    }
    VNPU_TRY_ASSIGN(const auto mask, readReductionAxes(operation, shape.size()));
    VNPU_TRY_ASSIGN(const auto keeps, operation.int32(2, "keep dimensions"));
    if (mask == 0) {
        return unsupported("no axes are given");
    }
    VNPU_TRY_ASSIGN(const auto output,
                    builder.output(operation, reducedShape(shape, mask, keeps > 0)));
    builder.add(operation.index(), makeReduction(builder.tensor(input), input, output, mask));
    return {};
}

/// The input's dimensions; neighbors that are both reduced or both kept are joined.
struct Groups {
    Shape extents;
    std::vector<bool> isReduced;
};

Groups groupDimensions(const Shape& shape, std::uint32_t mask) {
    Groups groups;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const bool isReduced = (mask >> d & 1U) != 0;
        if (shape[d] == 1) {
            continue;
        }
        if (!groups.extents.empty() && groups.isReduced.back() == isReduced) {
            groups.extents.back() *= shape[d];
        } else {
            groups.extents.push_back(shape[d]);
            groups.isReduced.push_back(isReduced);
        }
    }
    return groups;
}

/// The index space, and both tensors in it.
struct Reduction {
    Shape4 dims{1, 1, 1, 1};
    std::array<bool, 4> isReduced{};
    std::array<std::uint64_t, 4> readStrides{}, writtenStrides{};
};

Reduction layOut(const Groups& groups) {
    Reduction reduction;
    reduction.dims = padToFour(groups.extents);
    const std::size_t pad = 4 - groups.extents.size();
    Shape4 kept = reduction.dims;
    for (std::size_t g = 0; g < groups.extents.size(); ++g) {
        reduction.isReduced[pad + g] = groups.isReduced[g];
        kept[pad + g] = groups.isReduced[g] ? 1 : kept[pad + g];
    }
    const Shape4 read = denseStrides(reduction.dims);
    const Shape4 written = denseStrides(kept);
    for (std::size_t d = 0; d < 4; ++d) {
        reduction.readStrides[d] = read[d];
        reduction.writtenStrides[d] = reduction.isReduced[d] ? 0 : written[d];
    }
    return reduction;
}

/// The tile's axes. There must be one: along a dimension of one element if nothing is reduced.
void addAxes(VectorOperator& work, const Reduction& reduction) {
    std::vector<std::int32_t> axes;
    for (std::int32_t d = 0; d < 4; ++d) {
        if (reduction.isReduced[static_cast<std::size_t>(d)]) {
            axes.push_back(d);
        }
    }
    if (axes.empty()) {
        work.int32s({0});  // only one dimension, the last, is kept
    } else if (axes.size() == 1) {
        work.int32s({axes[0]});
    } else {
        work.int32s({axes[0], axes[1]});  // no more, as kinds alternate
    }
}

Checked<bool> readKeeps(const OperationReader& operation) {
    if (operation.type() != OperationType::MEAN) {
        return operation.boolean(2, "keep dimensions", false);
    }
    VNPU_TRY_ASSIGN(const auto keeps, operation.int32(2, "keep dimensions"));
    return keeps > 0;
}

/// Any reduction as an operator of the vector unit.
Checked<void> lowerReductionOperator(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(3, 3));
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0, "input"));
    VNPU_TRY(requireTile(builder.tensor(input), "input"));
    const Shape shape = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto mask, readReductionAxes(operation, shape.size()));
    VNPU_TRY_ASSIGN(const auto keeps, readKeeps(operation));
    const Groups groups = groupDimensions(shape, mask);
    if (groups.extents.size() > 4) {
        return unsupported(fmt::format("input of shape {} falls into {} parts, expected up to 4",
                                       toText(shape), groups.extents.size()));
    }
    const Reduction reduction = layOut(groups);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, reducedShape(shape, mask, keeps)));
    VectorOperator work(builder, operation.op());
    work.input({input, 0, reduction.readStrides});
    addAxes(work, reduction);
    if (operation.type() == OperationType::MEAN) {
        work.int32(1);
    } else {
        work.boolean(true);
    }
    work.output({output, 0, reduction.writtenStrides});
    builder.add(operation.index(), work.node(reduction.dims, reduction.isReduced));
    return {};
}

}  // namespace

LoweringRows reductionRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::MEAN, {lowerMean, lowerReductionOperator}},
            {OperationType::REDUCE_ALL, {lowerReductionOperator}},
            {OperationType::REDUCE_ANY, {lowerReductionOperator}},
            {OperationType::REDUCE_MAX, {lowerReductionOperator}},
            {OperationType::REDUCE_MIN, {lowerReductionOperator}},
            {OperationType::REDUCE_PROD, {lowerReductionOperator}},
            {OperationType::REDUCE_SUM, {lowerReductionOperator}},
    };
    return kRows;
}

}  // namespace vnpu::driver
