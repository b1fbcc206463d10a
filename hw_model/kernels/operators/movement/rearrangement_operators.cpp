// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <array>

#include "hw_model/kernels/operators/movement/strided_copy.h"
#include "hw_model/kernels/operators/operator_entry.h"

namespace vnpu::hw::kernels {
namespace {

using Permutation = std::array<std::size_t, kMaxTensorRank>;

/// The given permutation; reverses the axes if it is omitted.
std::optional<Permutation> permutationOf(OperatorCall& call, std::size_t rank) {
    Permutation permutation{};
    if (call.isOmitted(1)) {
        for (std::size_t i = 0; i < rank; ++i) {
            permutation[i] = rank - 1 - i;
        }
        return permutation;
    }
    VNPU_TRY_ASSIGN(const auto given, int32List(call, 1, rank));
    std::array<bool, kMaxTensorRank> isUsed{};
    for (std::size_t i = 0; i < rank; ++i) {
        const auto axis = static_cast<std::uint32_t>(given[i]);
        if (axis >= rank || isUsed[axis]) {
            return call.refuse(
                    fmt::format("axis {} of the permutation is {}, expected each of 0 to {} once",
                                i, given[i], rank - 1));
        }
        isUsed[axis] = true;
        permutation[i] = axis;
    }
    return permutation;
}

JobStatus transpose(OperatorCall& call) {
    const Tensor& input = call.input(0);
    const std::size_t rank = input.dimensions.rank();
    VNPU_TRY_ASSIGN(const auto permutation, permutationOf(call, rank));
    Dimensions to;
    for (std::size_t i = 0; i < rank; ++i) {
        to.append(input.dimensions[permutation[i]]);
    }
    const Strides fromStrides = denseStrides(input.dimensions);
    const Strides toStrides = denseStrides(to);
    CopyAxes axes;
    for (std::size_t i = 0; i < rank; ++i) {
        axes.add(to[i], fromStrides[permutation[i]], toStrides[i]);
    }
    return copyInto(call, to, axes);
}

JobStatus channelShuffle(OperatorCall& call) {
    const Tensor& input = call.input(0);
    const Dimensions& dimensions = input.dimensions;
    const std::int32_t groups = call.int32(1);
    VNPU_TRY_ASSIGN(const auto axis, resolveAxis(call, call.int32(2), dimensions.rank()));
    const std::uint32_t channels = dimensions[axis];
    if (groups <= 0 || channels % static_cast<std::uint32_t>(groups) != 0) {
        return call.refuse(
                fmt::format("there are {} groups, expected a divisor of {}", groups, channels));
    }
    const std::int64_t perGroup = channels / static_cast<std::uint32_t>(groups);
    const std::int64_t inner = denseStrides(dimensions)[axis];
    CopyAxes axes;
    axes.add(dimensions.elements(0, axis), inner * channels, inner * channels);
    axes.add(static_cast<std::uint64_t>(perGroup), inner, inner * groups);
    axes.add(static_cast<std::uint64_t>(groups), inner * perGroup, inner);
    axes.add(static_cast<std::uint64_t>(inner), 1, 1);
    return copyInto(call, dimensions, axes);
}

JobStatus tile(OperatorCall& call) {
    const Tensor& input = call.input(0);
    const std::size_t rank = input.dimensions.rank();
    VNPU_TRY_ASSIGN(const auto multiples, int32List(call, 1, rank));
    Dimensions to;
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int32_t multiple = multiples[i];
        const std::int64_t extent = std::int64_t{input.dimensions[i]} * multiple;
        if (multiple < 0 || extent > UINT32_MAX) {
            return call.refuse(fmt::format("axis {} of {} elements is wanted {} times", i,
                                           input.dimensions[i], multiple));
        }
        to.append(static_cast<std::uint32_t>(extent));
    }
    VNPU_TRY(call.settle(0, to));  // first, as the strides of too large an output have no value
    const Strides fromStrides = denseStrides(input.dimensions);
    const Strides toStrides = denseStrides(to);
    CopyAxes axes;
    for (std::size_t i = 0; i < rank; ++i) {
        axes.add(static_cast<std::uint64_t>(multiples[i]), 0, toStrides[i] * input.dimensions[i]);
        axes.add(input.dimensions[i], fromStrides[i], toStrides[i]);
    }
    if (to.elements() != 0) {
        copyStrided(axes, input.data, call.write<std::byte>(0), elementBytes(input.type));
    }
    return JobStatus::kOk;
}

constexpr OperatorEntry kRearrangementEntries[] = {
        {Operator::kTranspose, {"Tv1?", "T"}, transpose},
        {Operator::kChannelShuffle, {"Tii", "T"}, channelShuffle},
        {Operator::kTile, {"Tv1", "T"}, tile}};

}  // namespace

std::span<const OperatorEntry> rearrangementOperators() {
    return kRearrangementEntries;
}

}  // namespace vnpu::hw::kernels
