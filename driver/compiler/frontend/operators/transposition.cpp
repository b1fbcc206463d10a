// SPDX-License-Identifier: Apache-2.0
// Operations that put all elements of their input into another order, or repeat them.
#include <fmt/format.h>

#include "driver/compiler/frontend/base/movement.h"
#include "driver/compiler/frontend/operators/data_movement.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

/// The dimension of the input for each one of the output; reversed if the argument is left out.
Checked<std::vector<std::size_t>> readPermutation(const OperationReader& operation,
                                                  std::size_t rank) {
    std::vector<std::size_t> permutation;
    if (operation.isOmitted(1)) {
        for (std::size_t d = rank; d-- > 0;) {
            permutation.push_back(d);
        }
        return permutation;
    }
    VNPU_TRY_ASSIGN(const auto given, operation.int32s(1, "permutation"));
    std::vector<bool> isUsed(rank);
    for (const std::int32_t value : given) {
        const auto d = static_cast<std::uint32_t>(value);
        if (d >= rank || isUsed[d]) {
            return unsupported(fmt::format("permutation holds {}, expected each of 0 to {} once",
                                           value, rank));
        }
        isUsed[d] = true;
        permutation.push_back(d);
    }
    if (permutation.size() != rank) {
        return unsupported(
                fmt::format("permutation has {} values, expected {}", permutation.size(), rank));
    }
    return permutation;
}

Checked<void> lowerTranspose(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(1, 2));
    VNPU_TRY_ASSIGN(const auto input, movedInput(builder, operation));
    const Shape from = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto permutation, readPermutation(operation, from.size()));
    Shape shape;
    for (const std::size_t d : permutation) {
        shape.push_back(from[d]);
    }
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    const std::vector<std::uint64_t> inputStrides = stridesOf(from);
    const std::vector<std::uint64_t> outputStrides = stridesOf(shape);
    Movement movement{input, output, {}, 0, 0};
    for (std::size_t d = 0; d < shape.size(); ++d) {
        movement.axes.push_back({shape[d], inputStrides[permutation[d]], outputStrides[d]});
    }
    return addMovements(builder, operation, {movement});
}

Checked<void> lowerChannelShuffle(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(3, 3));
    VNPU_TRY_ASSIGN(const auto input, movedInput(builder, operation));
    VNPU_TRY_ASSIGN(const auto groups, operation.extent(1, "number of groups", 1));
    VNPU_TRY_ASSIGN(const auto argument, operation.int32(2, "axis"));
    const Shape shape = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto axis, resolveAxis(argument, shape.size()));
    const std::uint32_t channels = shape[axis];
    if (channels % groups != 0) {
        return unsupported(fmt::format("{} channels in {} groups", channels, groups));
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
                           {inner, 1, 1}},
                          0,
                          0}});
}

Checked<void> lowerTile(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 2));
    VNPU_TRY_ASSIGN(const auto input, movedInput(builder, operation));
    VNPU_TRY_ASSIGN(const auto multiples, operation.int32s(1, "multiples"));
    const Shape from = builder.tensor(input).shape;
    if (multiples.size() != from.size()) {
        return unsupported(fmt::format("{} multiples, expected {}", multiples.size(), from.size()));
    }
    Shape shape;
    for (std::size_t d = 0; d < from.size(); ++d) {
        const std::int64_t extent = std::int64_t{from[d]} * multiples[d];
        if (extent < 1 || extent > INT32_MAX) {
            return unsupported(fmt::format("dimension {} of {} elements is wanted {} times", d,
                                           from[d], multiples[d]));
        }
        shape.push_back(static_cast<std::uint32_t>(extent));
    }
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    const std::vector<std::uint64_t> inputStrides = stridesOf(from);
    const std::vector<std::uint64_t> outputStrides = stridesOf(shape);
    Movement movement{input, output, {}, 0, 0};
    for (std::size_t d = 0; d < shape.size(); ++d) {
        movement.axes.push_back({shape[d] / from[d], 0, outputStrides[d] * from[d]});
        movement.axes.push_back({from[d], inputStrides[d], outputStrides[d]});
    }
    return addMovements(builder, operation, {movement});
}

}  // namespace

LoweringRows transpositionRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::TRANSPOSE, {lowerTranspose}},
            {OperationType::CHANNEL_SHUFFLE, {lowerChannelShuffle}},
            {OperationType::TILE, {lowerTile}},
    };
    return kRows;
}

}  // namespace vnpu::driver
