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
/// to. Neighboring dimensions over which both walk evenly are joined.
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

/// The type that elements of T are computed in: single precision for half precision.
template <typename T>
using Computed = std::conditional_t<std::is_same_v<T, Eigen::half>, float, T>;

/// Elements that are converted at a time.
inline constexpr std::size_t kChunk = 256;  // chosen: buffers of floats on a small stack

/// A loop over computed elements, compiled for the processor level in use:
/// results[i] = function(a[i], b[i]), or function(a[i]) for one operand.
template <typename T, typename Result>
struct ElementLoop {
    void (*run)(const void* function, const T* a, const T* b, Result* results, std::size_t count);
    const void* function;

    void operator()(const T* a, const T* b, Result* results, std::size_t count) const {
        run(function, a, b, results, count);
    }
};

/// output = function(a, b) over all elements; `cost` is that of one. Defined for float,
/// Eigen::half, std::int32_t and std::uint8_t, with an output of the same type or std::uint8_t.
template <typename T, typename Output>
void combineElements(const BroadcastPlan& plan, const T* a, const T* b, Output* output,
                     std::size_t cost, const ElementLoop<Computed<T>, Computed<Output>>& loop);

/// output = function(input) over all elements. Defined for the same types, and from bytes of either
/// sign to the float types.
template <typename T, typename Output>
void mapElements(const T* input, Output* output, std::size_t elements, std::size_t cost,
                 const ElementLoop<Computed<T>, Computed<Output>>& loop);

template <typename T, typename Result, typename Function>
void runElements(const void* function, const T* a, const T* b, Result* results, std::size_t count) {
    const Function apply = *static_cast<const Function*>(function);
    for (std::size_t i = 0; i < count; ++i) {
        if constexpr (std::is_invocable_v<const Function&, T>) {
            results[i] = static_cast<Result>(apply(a[i]));
        } else {
            results[i] = static_cast<Result>(apply(a[i], b[i]));
        }
    }
}

/// The loop of a function of one or two elements, which must outlive it.
template <typename T, typename Result, typename Function>
ElementLoop<T, Result> makeLoop(const Function& function) {
    return {ByLevel<&runElements<T, Result, Function>>::select(), &function};
}

}  // namespace vnpu::hw::kernels
