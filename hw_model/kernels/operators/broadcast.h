// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <Eigen/Core>

#include "hw_model/kernels/operators/operator_call.h"
#include "hw_model/kernels/support/parallel_tasks.h"
#include "hw_model/kernels/support/processor_level.h"

namespace vnpu::hw::kernels {

/// How two dense operands are walked to make a dense output of the dimensions that both broadcast
/// to. Neighbouring dimensions over which both walk evenly are joined.
struct BroadcastPlan {
    static constexpr std::size_t kOperands = 2;

    struct Axis {
        std::size_t extent = 1;
        std::array<std::size_t, kOperands> strides{};  // in elements; 0 where one is repeated
    };

    Dimensions dimensions;  // of the output
    std::array<Axis, kMaxTensorRank> axes{};
    std::size_t axisCount = 1;  // outermost first; the last one's strides are 0 or 1
    std::size_t elements = 0;   // of the output
};

/// kOk, or refuses inputs `i` and `j`.
[[nodiscard]] JobStatus planBroadcast(OperatorCall& call, std::size_t i, std::size_t j,
                                      BroadcastPlan& plan);

/// Calls row(a, b, output, count) for the pieces of rows that make output elements [first, last):
/// the first elements of both operands and of the output, and how many there are.
template <typename Row>
void forEachRow(const BroadcastPlan& plan, std::size_t first, std::size_t last, const Row& row) {
    std::array<std::size_t, kMaxTensorRank> index{};
    const std::size_t inner = plan.axisCount - 1;
    std::size_t rest = first;
    for (std::size_t d = plan.axisCount; d-- > 0;) {
        index[d] = rest % plan.axes[d].extent;
        rest /= plan.axes[d].extent;
    }
    while (first < last) {
        std::array<std::size_t, BroadcastPlan::kOperands> offset{};
        for (std::size_t d = 0; d <= inner; ++d) {
            offset[0] += index[d] * plan.axes[d].strides[0];
            offset[1] += index[d] * plan.axes[d].strides[1];
        }
        const std::size_t count = std::min(plan.axes[inner].extent - index[inner], last - first);
        row(offset[0], offset[1], first, count);
        first += count;
        index[inner] = 0;
        for (std::size_t d = inner; d-- > 0;) {
            if (++index[d] < plan.axes[d].extent) {
                break;
            }
            index[d] = 0;
        }
    }
}

/// Elements that one task makes, so that its share stays in the cache.
inline constexpr std::size_t kElementsPerTask = 16384;  // chosen: 64 KiB of floats

/// Calls function(first, last) on ranges that make up [0, elements), on other threads too where
/// `elements` of `cost` operations each are worth it.
template <typename Function>
void forEachRange(std::size_t elements, std::size_t cost, const Function& function) {
    const std::size_t tasks = (elements + kElementsPerTask - 1) / kElementsPerTask;
    forEachTask(tasks, std::uint64_t{elements} * cost, [&](std::size_t task) {
        const std::size_t first = task * kElementsPerTask;
        function(first, std::min(first + kElementsPerTask, elements));
    });
}

/// What elements of T are computed in: half precision in single.
template <typename T>
using Computed = std::conditional_t<std::is_same_v<T, Eigen::half>, float, T>;

/// Elements that are handled at a time: `count` of them from `source` on, each the same where
/// `step` is 0, as computed ones; in `room` where they have to be converted or repeated.
inline constexpr std::size_t kChunk = 256;  // chosen: two buffers of floats on a small stack
template <typename T>
const Computed<T>* loadChunk(const T* source, std::size_t step, std::size_t count,
                             Computed<T>* room) {
    if (step == 0) {
        std::fill_n(room, count, static_cast<Computed<T>>(*source));
        return room;
    }
    if constexpr (std::is_same_v<T, Computed<T>>) {
        return source;
    } else {
        std::transform(source, source + count, room,
                       [](T value) { return static_cast<Computed<T>>(value); });
        return room;
    }
}

/// output = function(a, b) over all elements; `cost` is that of one.
template <typename T, typename Output, typename Function>
void combineElements(const BroadcastPlan& plan, const T* a, const T* b, Output* output,
                     std::size_t cost, const Function& function) {
    const auto& steps = plan.axes[plan.axisCount - 1].strides;
    const auto combineRow = [&](std::size_t i, std::size_t j, std::size_t o, std::size_t count) {
        // NOLINTBEGIN(cppcoreguidelines-pro-type-member-init): loadChunk fills what is read
        std::array<Computed<T>, kChunk> roomA;
        std::array<Computed<T>, kChunk> roomB;
        // NOLINTEND(cppcoreguidelines-pro-type-member-init)
        for (std::size_t x = 0; x < count; x += kChunk) {
            const std::size_t chunk = std::min(kChunk, count - x);
            const auto* first = loadChunk(a + i + x * steps[0], steps[0], chunk, roomA.data());
            const auto* second = loadChunk(b + j + x * steps[1], steps[1], chunk, roomB.data());
            Output* results = output + o + x;
            for (std::size_t n = 0; n < chunk; ++n) {
                results[n] = static_cast<Output>(function(first[n], second[n]));
            }
        }
    };
    forEachRange(plan.elements, cost, [&](std::size_t begin, std::size_t end) {
        runVectorised([&] { forEachRow(plan, begin, end, combineRow); });
    });
}

/// output = function(input) over all elements.
template <typename T, typename Output, typename Function>
void mapElements(const T* input, Output* output, std::size_t elements, std::size_t cost,
                 const Function& function) {
    forEachRange(elements, cost, [&](std::size_t begin, std::size_t end) {
        runVectorised([&] {
            for (std::size_t i = begin; i < end; ++i) {
                output[i] = static_cast<Output>(function(static_cast<Computed<T>>(input[i])));
            }
        });
    });
}

}  // namespace vnpu::hw::kernels
