// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/operators/operator_call.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {

/// How a dense input is walked in memory order to reduce some of its dimensions. Neighbors that
/// are both reduced, or both kept, are joined.
struct ReductionPlan {
    struct Axis {
        std::size_t extent = 1;
        bool isReduced = false;
    };

    Dimensions dimensions;  // of the output
    std::array<Axis, kMaxTensorRank> axes{};
    std::size_t axisCount = 0;  // outermost first, kinds alternate
    std::size_t outputs = 1;
    std::uint64_t reduced = 1;  // elements that make one output
};

/// Reads the axes, input 1, or refuses the call. Without axes nothing is reduced; where all
/// dimensions are and none is kept, one of one element stays.
std::optional<ReductionPlan> planReduction(OperatorCall& call, bool keepsDimensions);

/// Calls row(input, output, count, isReduced) for the innermost rows: where the row starts in the
/// input, and its output, or the first of its outputs where it is not reduced.
template <typename Row>
void forEachReducedRow(const ReductionPlan& plan, const Row& row) {
    const std::size_t inner = plan.axisCount - 1;
    std::array<std::size_t, kMaxTensorRank> strides{};  // of the output
    std::size_t rows = 1;
    std::size_t stride = 1;
    for (std::size_t d = plan.axisCount; d-- > 0;) {
        strides[d] = plan.axes[d].isReduced ? 0 : stride;
        stride *= plan.axes[d].isReduced ? 1 : plan.axes[d].extent;
        rows *= d == inner ? 1 : plan.axes[d].extent;
    }
    std::array<std::size_t, kMaxTensorRank> index{};
    const std::size_t count = plan.axes[inner].extent;
    std::size_t output = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        row(r * count, output, count, plan.axes[inner].isReduced);
        for (std::size_t d = inner; d-- > 0;) {
            output += strides[d];
            if (++index[d] < plan.axes[d].extent) {
                break;
            }
            output -= strides[d] * index[d];
            index[d] = 0;
        }
    }
}

/// Cuts the outermost dimension, where it is kept, into shares for other threads: calls
/// function(share, input, output) with where the share's elements start. No element may be missing.
template <typename Function>
void forEachShare(const ReductionPlan& plan, std::size_t cost, const Function& function) {
    constexpr std::size_t kElements = 16384;  // chosen: a share is worth handing out
    const std::size_t inputs = plan.outputs * static_cast<std::size_t>(plan.reduced);
    const bool canCut = !plan.axes[0].isReduced;
    const std::size_t extent = canCut ? plan.axes[0].extent : 1;
    // elements of one index
    const std::size_t each = std::max<std::size_t>(1, inputs / extent);
    const std::size_t most = std::max<std::size_t>(1, kElements / each);
    forEachTask((extent + most - 1) / most, std::uint64_t{inputs} * cost, [&](std::size_t task) {
        const std::size_t first = task * most;
        ReductionPlan share = plan;
        if (canCut) {
            share.axes[0].extent = std::min(most, extent - first);
            share.outputs = plan.outputs / extent * share.axes[0].extent;
        }
        function(share, first * each, first * (plan.outputs / extent));
    });
}

}  // namespace vnpu::hw::kernels
