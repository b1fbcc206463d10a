// SPDX-License-Identifier: Apache-2.0
// Operations that put all elements of their input into another order, or repeat them.
#include <algorithm>
#include <numeric>

#include "driver/compiler/frontend/base/movement.h"
#include "driver/compiler/frontend/operators/families.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

/// The dimension of the input for each one of the output; reversed if the argument is left out.
Checked<std::vector<std::int32_t>> readPermutation(const OperationReader& operation,
                                                   std::size_t rank) {
    std::vector<std::int32_t> dimensions(rank);
    std::iota(dimensions.begin(), dimensions.end(), 0);
    if (operation.isOmitted(1)) {
        std::reverse(dimensions.begin(), dimensions.end());
        return dimensions;
    }
    auto given = operation.int32s(1);
    if (given &&
        !std::is_permutation(given->begin(), given->end(), dimensions.begin(), dimensions.end())) {
        return untiled();
    }
    return given;
}

Checked<void> lowerTranspose(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    const Shape from = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto permutation, readPermutation(operation, from.size()));
    const std::vector<std::uint64_t> inputStrides = stridesOf(from);
    Shape shape;
    CopyNode movement{input};
    for (const std::int32_t value : permutation) {
        const auto d = static_cast<std::size_t>(value);
        shape.push_back(from[d]);
        movement.axes.push_back({from[d], inputStrides[d]});
    }
    VNPU_TRY_ASSIGN(movement.output, builder.output(operation, shape));
    packOutput(movement);
    return addMovements(builder, operation, {movement});
}

Checked<void> lowerChannelShuffle(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    VNPU_TRY_ASSIGN(const auto groups, operation.extent(1, 1));
    const Shape shape = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto axis, operation.axis(2, shape.size()));
    const std::uint32_t channels = shape[axis];
    if (channels % groups != 0) {
        return untiled();
    }
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    const AxisSplit split = splitAt(shape, axis);
    const std::uint64_t inner = split.inner;
    const std::uint64_t perGroup = channels / groups;
    return addMovements(builder, operation,
                        {{input,
                          output,
                          {{split.outer, channels * inner, channels * inner},
                           {perGroup, inner, groups * inner},
                           {groups, perGroup * inner, inner},
                           {inner, 1, 1}}}});
}

Checked<void> lowerTile(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    VNPU_TRY_ASSIGN(const auto multiples, operation.int32s(1));
    const Shape from = builder.tensor(input).shape;
    if (multiples.size() != from.size()) {
        return untiled();
    }
    const std::vector<std::uint64_t> inputStrides = stridesOf(from);
    CopyNode movement{input};
    Shape shape;
    for (std::size_t d = 0; d < from.size(); ++d) {
        const std::int64_t extent = std::int64_t{from[d]} * multiples[d];
        if (extent < 1 || extent > INT32_MAX) {
            return untiled();
        }
        shape.push_back(static_cast<std::uint32_t>(extent));
        movement.axes.push_back({static_cast<std::uint64_t>(multiples[d]), 0});
        movement.axes.push_back({from[d], inputStrides[d]});
    }
    VNPU_TRY_ASSIGN(movement.output, builder.output(operation, shape));
    packOutput(movement);
    return addMovements(builder, operation, {movement});
}

}  // namespace

LoweringRows transpositionRows() {
    return {{OperationType::TRANSPOSE, lowerTranspose},
            {OperationType::CHANNEL_SHUFFLE, lowerChannelShuffle},
            {OperationType::TILE, lowerTile}};
}

}  // namespace vnpu::driver
