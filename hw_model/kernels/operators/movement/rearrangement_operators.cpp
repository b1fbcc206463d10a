// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/movement/rearrangement_operators.h"

#include <fmt/format.h>

#include <array>

#include "hw_model/kernels/operators/movement/strided_copy.h"
#include "hw_model/kernels/operators/operand_signature.h"
#include "hw_model/kernels/operators/operator_checks.h"
#include "hw_model/kernels/operators/operator_table.h"

namespace vnpu::hw::kernels {
namespace {

using Permutation = std::array<std::size_t, kMaxTensorRank>;

/// The given permutation, or the axes backwards where it is left out.
std::optional<Permutation> permutationOf(OperatorCall& call, std::size_t rank) {
    Permutation permutation{};
    if (call.isOmitted(1)) {
        for (std::size_t i = 0; i < rank; ++i) {
            permutation[i] = rank - 1 - i;
        }
        return permutation;
    }
    const auto given = int32List(call, 1, rank);
    if (!given) {
        return std::nullopt;
    }
    std::array<bool, kMaxTensorRank> isUsed{};
    for (std::size_t i = 0; i < rank; ++i) {
        const auto axis = static_cast<std::uint32_t>((*given)[i]);
        if (axis >= rank || isUsed[axis]) {
            static_cast<void>(call.refuse(
                    fmt::format("axis {} of the permutation is {}, expected each of 0 to {} once",
                                i, (*given)[i], rank - 1)));
            return std::nullopt;
        }
        isUsed[axis] = true;
        permutation[i] = axis;
    }
    return permutation;
}

}  // namespace

JobStatus transpose(OperatorCall& call) {
    VNPU_TRY(requireSignature(call, "Tv1?", "T"));
    const Tensor& input = call.input(0);
    const std::size_t rank = input.dimensions.rank();
    const auto permutation = permutationOf(call, rank);
    if (!permutation) {
        return JobStatus::kBadOperand;
    }
    Dimensions to;
    for (std::size_t i = 0; i < rank; ++i) {
        to.append(input.dimensions[(*permutation)[i]]);
    }
    if (const auto status = call.settle(0, to); status != JobStatus::kOk || to.elements() == 0) {
        return status;
    }
    const Strides fromStrides = denseStrides(input.dimensions);
    const Strides toStrides = denseStrides(to);
    CopyAxes axes;
    for (std::size_t i = 0; i < rank; ++i) {
        axes.add(to[i], fromStrides[(*permutation)[i]], toStrides[i]);
    }
    copyStrided(axes, input.data, call.write<std::byte>(0), elementBytes(input.type));
    return JobStatus::kOk;
}

JobStatus channelShuffle(OperatorCall& call) {
    VNPU_TRY(requireSignature(call, "Tii", "T"));
    const Tensor& input = call.input(0);
    const Dimensions& dimensions = input.dimensions;
    const std::int32_t groups = call.int32(1);
    const auto axis = resolveAxis(call, call.int32(2), dimensions.rank());
    if (!axis) {
        return JobStatus::kBadOperand;
    }
    const std::uint32_t channels = dimensions[*axis];
    if (groups <= 0 || channels % static_cast<std::uint32_t>(groups) != 0) {
        return call.refuse(
                fmt::format("there are {} groups, expected a divisor of {}", groups, channels));
    }
    const JobStatus status = call.settle(0, dimensions);
    if (status != JobStatus::kOk || input.elements() == 0) {
        return status;
    }
    const std::int64_t perGroup = channels / static_cast<std::uint32_t>(groups);
    const std::int64_t inner = denseStrides(dimensions)[*axis];
    CopyAxes axes;
    axes.add(dimensions.elements(0, *axis), inner * channels, inner * channels);
    axes.add(static_cast<std::uint64_t>(perGroup), inner, inner * groups);
    axes.add(static_cast<std::uint64_t>(groups), inner * perGroup, inner);
    axes.add(static_cast<std::uint64_t>(inner), 1, 1);
    copyStrided(axes, input.data, call.write<std::byte>(0), elementBytes(input.type));
    return JobStatus::kOk;
}

JobStatus tile(OperatorCall& call) {
    VNPU_TRY(requireSignature(call, "Tv1", "T"));
    const Tensor& input = call.input(0);
    const std::size_t rank = input.dimensions.rank();
    const auto multiples = int32List(call, 1, rank);
    if (!multiples) {
        return JobStatus::kBadOperand;
    }
    Dimensions to;
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int32_t multiple = (*multiples)[i];
        const std::int64_t extent = std::int64_t{input.dimensions[i]} * multiple;
        if (multiple < 0 || extent > UINT32_MAX) {
            return call.refuse(fmt::format("axis {} of {} elements is wanted {} times", i,
                                           input.dimensions[i], multiple));
        }
        to.append(static_cast<std::uint32_t>(extent));
    }
    if (const auto status = call.settle(0, to); status != JobStatus::kOk || to.elements() == 0) {
        return status;
    }
    const Strides fromStrides = denseStrides(input.dimensions);
    const Strides toStrides = denseStrides(to);
    CopyAxes axes;
    for (std::size_t i = 0; i < rank; ++i) {
        axes.add(static_cast<std::uint64_t>((*multiples)[i]), 0,
                 toStrides[i] * input.dimensions[i]);
        axes.add(input.dimensions[i], fromStrides[i], toStrides[i]);
    }
    copyStrided(axes, input.data, call.write<std::byte>(0), elementBytes(input.type));
    return JobStatus::kOk;
}

std::span<const OperatorEntry> rearrangementOperators() {
    static constexpr OperatorEntry kEntries[] = {
            {Operator::kReshape, reshape},
            {Operator::kSqueeze, squeeze},
            {Operator::kExpandDims, expandDims},
            {Operator::kFill, fill},
            {Operator::kRank, rank},
            {Operator::kTranspose, transpose},
            {Operator::kChannelShuffle, channelShuffle},
            {Operator::kTile, tile},
            {Operator::kConcatenation, concatenation},
            {Operator::kPad, pad},
            {Operator::kPadV2, padWithValue},
            {Operator::kDepthToSpace, depthToSpace},
            {Operator::kSpaceToDepth, spaceToDepth},
            {Operator::kBatchToSpaceNd, batchToSpace},
            {Operator::kSpaceToBatchNd, spaceToBatch},
    };
    return kEntries;
}

}  // namespace vnpu::hw::kernels
