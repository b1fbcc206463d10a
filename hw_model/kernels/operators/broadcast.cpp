// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/broadcast.h"

#include <fmt/format.h>

namespace vnpu::hw::kernels {
namespace {

using Axis = BroadcastPlan::Axis;

/// Extent of dimension `d` of `rank`, with leading ones put before.
std::uint32_t alignedExtent(const Dimensions& dimensions, std::size_t d, std::size_t rank) {
    const std::size_t missing = rank - dimensions.rank();
    return d < missing ? 1 : dimensions[d - missing];
}

bool walksEvenly(const Axis& outer, const Axis& inner) {
    return outer.strides[0] == inner.strides[0] * inner.extent &&
           outer.strides[1] == inner.strides[1] * inner.extent;
}

/// Puts the next outer axis before those that are there, innermost first.
void addAxis(BroadcastPlan& plan, const Axis& axis) {
    if (plan.axisCount != 0 && walksEvenly(axis, plan.axes[plan.axisCount - 1])) {
        plan.axes[plan.axisCount - 1].extent *= axis.extent;
    } else {
        plan.axes[plan.axisCount++] = axis;
    }
}

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

template <typename From, typename To>
void convertElements(const From* source, To* destination, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        destination[i] = static_cast<To>(source[i]);
    }
}

/// Operand elements of T as computed ones, a chunk at a time.
template <typename T>
class ChunkSource {
  public:
    /// Elements from `source` on, or the same one again and again if `step` is 0.
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

/// Computes `count` elements of one operand, or two, all at once where nothing has to be converted
/// or repeated.
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

}  // namespace

JobStatus planBroadcast(OperatorCall& call, std::size_t i, std::size_t j, BroadcastPlan& plan) {
    const std::array<const Dimensions*, 2> shapes = {&call.input(i).dimensions,
                                                     &call.input(j).dimensions};
    const std::size_t rank = std::max(shapes[0]->rank(), shapes[1]->rank());
    plan = {};
    plan.axisCount = 0;
    for (std::size_t d = 0; d < rank; ++d) {
        plan.dimensions.append(1);
    }
    std::array<std::size_t, 2> stride = {1, 1};
    for (std::size_t d = rank; d-- > 0;) {
        const std::array<std::uint32_t, 2> extents = {alignedExtent(*shapes[0], d, rank),
                                                      alignedExtent(*shapes[1], d, rank)};
        if (extents[0] != extents[1] && extents[0] != 1 && extents[1] != 1) {
            return call.refuse(fmt::format(
                    "inputs {} and {} have dimensions [{}] and [{}], which do not broadcast", i, j,
                    fmt::join(*shapes[0], ", "), fmt::join(*shapes[1], ", ")));
        }
        plan.dimensions[d] = extents[0] == 1 ? extents[1] : extents[0];
        if (plan.dimensions[d] == 1) {
            continue;
        }
        addAxis(plan, {plan.dimensions[d],
                       {extents[0] == 1 ? 0 : stride[0], extents[1] == 1 ? 0 : stride[1]}});
        stride[0] *= extents[0];
        stride[1] *= extents[1];
    }
    if (plan.axisCount == 0) {
        plan.axisCount = 1;
    }
    std::reverse(plan.axes.begin(),
                 plan.axes.begin() + static_cast<std::ptrdiff_t>(plan.axisCount));
    plan.elements = static_cast<std::size_t>(plan.dimensions.elements());
    return JobStatus::kOk;
}

template <typename T, typename Output>
void combineElements(const BroadcastPlan& plan, const T* a, const T* b, Output* output,
                     std::size_t cost, const ElementLoop<Computed<T>, Computed<Output>>& loop) {
    const auto& steps = plan.axes[plan.axisCount - 1].strides;
    forEachRange(plan.elements, cost, [&](std::size_t begin, std::size_t end) {
        forEachRow(plan, begin, end,
                   [&](std::size_t i, std::size_t j, std::size_t o, std::size_t count) {
                       ChunkSource<T> first(a + i, steps[0], count);
                       ChunkSource<T> second(b + j, steps[1], count);
                       runLoop(first, &second, output + o, count, loop);
                   });
    });
}

template <typename T, typename Output>
void mapElements(const T* input, Output* output, std::size_t elements, std::size_t cost,
                 const ElementLoop<Computed<T>, Computed<Output>>& loop) {
    forEachRange(elements, cost, [&](std::size_t begin, std::size_t end) {
        ChunkSource<T> source(input + begin, 1, end - begin);
        runLoop<T, Output>(source, nullptr, output + begin, end - begin, loop);
    });
}

template void combineElements(const BroadcastPlan&, const float*, const float*, float*, std::size_t,
                              const ElementLoop<float, float>&);
template void combineElements(const BroadcastPlan&, const Eigen::half*, const Eigen::half*,
                              Eigen::half*, std::size_t, const ElementLoop<float, float>&);
template void combineElements(const BroadcastPlan&, const std::int32_t*, const std::int32_t*,
                              std::int32_t*, std::size_t,
                              const ElementLoop<std::int32_t, std::int32_t>&);
template void combineElements(const BroadcastPlan&, const std::uint8_t*, const std::uint8_t*,
                              std::uint8_t*, std::size_t,
                              const ElementLoop<std::uint8_t, std::uint8_t>&);
template void combineElements(const BroadcastPlan&, const float*, const float*, std::uint8_t*,
                              std::size_t, const ElementLoop<float, std::uint8_t>&);
template void combineElements(const BroadcastPlan&, const Eigen::half*, const Eigen::half*,
                              std::uint8_t*, std::size_t, const ElementLoop<float, std::uint8_t>&);
template void combineElements(const BroadcastPlan&, const std::int32_t*, const std::int32_t*,
                              std::uint8_t*, std::size_t,
                              const ElementLoop<std::int32_t, std::uint8_t>&);
template void mapElements(const float*, float*, std::size_t, std::size_t,
                          const ElementLoop<float, float>&);
template void mapElements(const Eigen::half*, Eigen::half*, std::size_t, std::size_t,
                          const ElementLoop<float, float>&);
template void mapElements(const std::int32_t*, std::int32_t*, std::size_t, std::size_t,
                          const ElementLoop<std::int32_t, std::int32_t>&);
template void mapElements(const std::uint8_t*, std::uint8_t*, std::size_t, std::size_t,
                          const ElementLoop<std::uint8_t, std::uint8_t>&);
template void mapElements(const float*, std::uint8_t*, std::size_t, std::size_t,
                          const ElementLoop<float, std::uint8_t>&);
template void mapElements(const Eigen::half*, std::uint8_t*, std::size_t, std::size_t,
                          const ElementLoop<float, std::uint8_t>&);
template void mapElements(const std::uint8_t*, float*, std::size_t, std::size_t,
                          const ElementLoop<std::uint8_t, float>&);
template void mapElements(const std::uint8_t*, Eigen::half*, std::size_t, std::size_t,
                          const ElementLoop<std::uint8_t, float>&);
template void mapElements(const std::int8_t*, float*, std::size_t, std::size_t,
                          const ElementLoop<std::int8_t, float>&);
template void mapElements(const std::int8_t*, Eigen::half*, std::size_t, std::size_t,
                          const ElementLoop<std::int8_t, float>&);

}  // namespace vnpu::hw::kernels
