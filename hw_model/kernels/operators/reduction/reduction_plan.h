// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/operators/operator_call.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {

/// How a dense input is traversed in memory order to reduce some of its dimensions. Adjacent
/// dimensions that are both reduced, or both kept, are merged.
struct ReductionPlan {
    struct Axis {
        std::size_t extent = 1;
        bool isReduced = false;
    };

    Dimensions dimensions;  // of the output
    std::array<Axis, kMaxTensorRank> axes{};
    std::size_t axisCount = 0;  // outermost first; reduced and kept axes alternate
    std::size_t outputs = 1;
    std::uint64_t reduced = 1;  // elements per output
};

/// Reads the axes, input 1, or refuses the call. Without axes nothing is reduced; if no dimension
/// remains, the output has one dimension of one element.
std::optional<ReductionPlan> planReduction(OperatorCall& call, bool keepsDimensions);

/// Calls row(input, output, count, isReduced) for the innermost rows, with the row's position in
/// the input and the position of its output (of the first one if the row is not reduced).
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

/// Divides the outermost dimension, if it is kept, into shares for several threads; calls
/// function(share, input, output) with the positions of the share's first elements. The tensor must
/// not be empty.
template <typename Function>
void forEachShare(const ReductionPlan& plan, std::size_t cost, const Function& function) {
    constexpr std::size_t kElements = 16384;  // chosen: a share that is worth a hand-over
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
