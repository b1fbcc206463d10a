// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include <Eigen/Core>

#include "hw_model/kernels/operators/operator_checks.h"
#include "hw_model/kernels/support/parallel_tasks.h"
#include "hw_model/kernels/support/processor_level.h"

namespace vnpu::hw::kernels {

/// How two dense operands are traversed to produce a dense output of their broadcast dimensions.
/// Adjacent dimensions that both traverse evenly are merged.
struct BroadcastPlan {
    static constexpr std::size_t kOperands = 2;

    struct Axis {
        std::size_t extent = 1;
        std::array<std::size_t, kOperands> strides{};  // in elements; 0 for a repeated operand
    };

    Dimensions dimensions;  // of the output
    std::array<Axis, kMaxTensorRank> axes{};
    std::size_t axisCount = 1;  // outermost first; the last one's strides are 0 or 1
    std::size_t elements = 0;   // of the output
};

/// Plans the traversal of inputs 0 and 1 and settles output 0; nothing if the call is refused.
std::optional<BroadcastPlan> settleBroadcast(OperatorCall& call);

/// Elements computed by one task, so that they stay in the cache.
inline constexpr std::size_t kElementsPerTask = 16384;  // chosen: 64 KiB of floats

/// Calls function(first, last) on ranges that cover [0, elements), on several threads if `elements`
/// of `cost` operations each are worth it.
template <typename Function>
void forEachRange(std::size_t elements, std::size_t cost, const Function& function) {
    const std::size_t tasks = (elements + kElementsPerTask - 1) / kElementsPerTask;
    forEachTask(tasks, std::uint64_t{elements} * cost, [&](std::size_t task) {
        const std::size_t first = task * kElementsPerTask;
        function(first, std::min(first + kElementsPerTask, elements));
    });
}

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

/// The loop for a function of one or two elements; the function must outlive it.
template <typename T, typename Result, typename Function>
ElementLoop<T, Result> makeLoop(const Function& function) {
    return {ByLevel<&runElements<T, Result, Function>>::select(), &function};
}

namespace broadcast {

/// Calls row(a, b, output, count) for the pieces of rows that make up output elements [first,
/// last), with the first elements of both operands and of the output, and their number.
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

template <typename From, typename To>
void convertElements(const From* source, To* destination, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        destination[i] = static_cast<To>(source[i]);
    }
}

/// Converts operand elements of T to the type in which they are computed, a chunk at a time.
template <typename T>
class ChunkSource {
  public:
    /// Elements from `source` on, or always the same one if `step` is 0.
    ChunkSource(const T* source, std::size_t step, std::size_t count)
        : source_(source), isRepeated_(step == 0) {
        if (isRepeated_) {
            std::fill_n(room_.data(), std::min(count, kChunk), static_cast<Computed<T>>(*source));
        }
    }

    static constexpr bool kIsConverted = !std::is_same_v<T, Computed<T>>;
    bool isInPlace() const { return !kIsConverted && !isRepeated_; }

    const Computed<T>* load(std::size_t first, std::size_t count) {
        if (isRepeated_) {
            return room_.data();
        }
        if constexpr (kIsConverted) {
            ByLevel<&convertElements<T, Computed<T>>>::select()(source_ + first, room_.data(),
                                                                count);
            return room_.data();
        } else {
            return source_ + first;
        }
    }

  private:
    const T* source_;
    bool isRepeated_;
    std::array<Computed<T>, kChunk> room_;
};

/// Computes `count` elements of one or two operands, in one call if nothing has to be converted or
/// repeated.
template <typename T, typename Output>
void runLoop(ChunkSource<T>& a, ChunkSource<T>* b, Output* output, std::size_t count,
             const ElementLoop<Computed<T>, Computed<Output>>& loop) {
    constexpr bool kIsConverted = !std::is_same_v<Output, Computed<Output>>;
    const bool isInPlace = !kIsConverted && a.isInPlace() && (b == nullptr || b->isInPlace());
    const std::size_t most = isInPlace ? count : kChunk;
    for (std::size_t x = 0; x < count; x += most) {
        const std::size_t chunk = std::min(most, count - x);
        const auto* first = a.load(x, chunk);
        const auto* second = b == nullptr ? first : b->load(x, chunk);
        if constexpr (kIsConverted) {
            std::array<Computed<Output>, kChunk> results;
            loop(first, second, results.data(), chunk);
            ByLevel<&convertElements<Computed<Output>, Output>>::select()(results.data(),
                                                                          output + x, chunk);
        } else {
            loop(first, second, output + x, chunk);
        }
    }
}

}  // namespace broadcast

/// output = function(a, b) for all elements; `cost` is that of one. T and Output are float,
/// Eigen::half, std::int32_t or std::uint8_t.
template <typename T, typename Output>
void combineElements(const BroadcastPlan& plan, const T* a, const T* b, Output* output,
                     std::size_t cost, const ElementLoop<Computed<T>, Computed<Output>>& loop) {
    const auto& steps = plan.axes[plan.axisCount - 1].strides;
    forEachRange(plan.elements, cost, [&](std::size_t begin, std::size_t end) {
        broadcast::forEachRow(plan, begin, end,
                              [&](std::size_t i, std::size_t j, std::size_t o, std::size_t count) {
                                  broadcast::ChunkSource<T> first(a + i, steps[0], count);
                                  broadcast::ChunkSource<T> second(b + j, steps[1], count);
                                  broadcast::runLoop(first, &second, output + o, count, loop);
                              });
    });
}

/// output = function(input) for all elements; T may also be std::int8_t.
template <typename T, typename Output>
void mapElements(const T* input, Output* output, std::size_t elements, std::size_t cost,
                 const ElementLoop<Computed<T>, Computed<Output>>& loop) {
    forEachRange(elements, cost, [&](std::size_t begin, std::size_t end) {
        broadcast::ChunkSource<T> source(input + begin, 1, end - begin);
        broadcast::runLoop<T, Output>(source, nullptr, output + begin, end - begin, loop);
    });
}

/// Output 0 = function(input 0, input 1), for elements of T and of either float type.
template <typename T, typename Output = T, typename Function>
void combine(OperatorCall& call, const BroadcastPlan& plan, std::size_t cost, Function function) {
    combineElements(plan, call.input(0).as<T>(), call.input(1).as<T>(), call.write<Output>(0), cost,
                    makeLoop<Computed<T>, Computed<Output>>(function));
}
template <typename Function>
void combineFloats(OperatorCall& call, const BroadcastPlan& plan, std::size_t cost,
                   Function function) {
    withElement<kFloatTypes>(call.input(0).type, [&](auto element) {
        combine<decltype(element)>(call, plan, cost, function);
    });
}

/// Output 0 = function(input 0), for the same types. Output 0 has the dimensions of input 0.
template <typename T, typename Output = T, typename Function>
void map(OperatorCall& call, std::size_t cost, Function function) {
    mapElements(call.input(0).as<T>(), call.write<Output>(0),
                static_cast<std::size_t>(call.input(0).elements()), cost,
                makeLoop<Computed<T>, Computed<Output>>(function));
}
template <typename Function>
void mapFloats(OperatorCall& call, std::size_t cost, Function function) {
    withElement<kFloatTypes>(call.input(0).type,
                             [&](auto element) { map<decltype(element)>(call, cost, function); });
}

}  // namespace vnpu::hw::kernels
