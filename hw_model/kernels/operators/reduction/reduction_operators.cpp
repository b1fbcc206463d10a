// SPDX-License-Identifier: Apache-2.0
// MEAN, REDUCE_* and ARGMAX, ARGMIN.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <vector>

#include "hw_model/kernels/operators/broadcast.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/reduction/normalization_lines.h"
#include "hw_model/kernels/operators/reduction/reduction_plan.h"
#include "hw_model/kernels/support/fixed_point.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kReductionCost = 2;  // operations of an element

/// Settles the output. The last operand, an INT32 for MEAN, says whether reduced dimensions are
/// kept.
std::optional<ReductionPlan> settleReduction(OperatorCall& call) {
    const bool isFlag = call.input(2).type == TensorType::kBoolScalar;
    VNPU_TRY_ASSIGN(const ReductionPlan plan,
                    planReduction(call, isFlag ? call.flag(2) : call.int32(2) > 0));
    return call.settle(0, plan.dimensions) == JobStatus::kOk ? std::optional(plan) : std::nullopt;
}

/// Folds the elements into `start` in memory order; each output is finish(result).
template <typename T, typename Sum, typename Fold, typename Finish>
void reduce(OperatorCall& call, const ReductionPlan& plan, Sum start, const Fold& fold,
            const Finish& finish) {
    const T* input = call.input(0).as<T>();
    T* output = call.write<T>(0);
    if (call.input(0).elements() == 0) {
        std::fill_n(output, plan.outputs, static_cast<T>(finish(start)));
        return;
    }
    forEachShare(plan, kReductionCost,
                 [&](const ReductionPlan& share, std::size_t from, std::size_t to) {
                     std::vector<Sum> sums(share.outputs, start);
                     forEachReducedRow(share, [&](std::size_t offset, std::size_t o,
                                                  std::size_t count, bool isReduced) {
                         const T* row = input + from + offset;
                         if (isReduced) {
                             Sum sum = sums[o];
                             for (std::size_t i = 0; i < count; ++i) {
                                 sum = fold(sum, static_cast<Computed<T>>(row[i]));
                             }
                             sums[o] = sum;
                         } else {
                             Sum* line = sums.data() + o;
                             for (std::size_t i = 0; i < count; ++i) {
                                 line[i] = fold(line[i], static_cast<Computed<T>>(row[i]));
                             }
                         }
                     });
                     std::transform(sums.begin(), sums.end(), output + to,
                                    [&](Sum sum) { return static_cast<T>(finish(sum)); });
                 });
}

template <typename T>
void meanOfFloats(OperatorCall& call, const ReductionPlan& plan) {
    // The mean of no elements is zero, as in the TFLite reference.
    const auto count = static_cast<double>(std::max<std::uint64_t>(plan.reduced, 1));
    reduce<T>(
            call, plan, 0.0, [](double sum, float value) { return sum + double{value}; },
            [&](double sum) { return static_cast<float>(sum / count); });
}

template <typename T>
void meanOfLevels(OperatorCall& call, const ReductionPlan& plan) {
    const auto count = static_cast<std::int64_t>(std::max<std::uint64_t>(plan.reduced, 1));
    const std::int64_t zeroPoint = call.input(0).zeroPoint;
    const std::int64_t ofNothing = plan.reduced == 0 ? zeroPoint : 0;
    reduce<T>(
            call, plan, ofNothing, [](std::int64_t sum, T level) { return sum + level; },
            [&](std::int64_t sum) {
                return zeroPoint + roundingDivide(sum - count * zeroPoint, count);
            });
}

JobStatus meanOperator(OperatorCall& call) {
    VNPU_TRY(requireInputsQuantization(call));
    VNPU_TRY_ASSIGN(const ReductionPlan plan, settleReduction(call));
    withElement<kRealTypes>(call.input(0).type, [&](auto element) {
        using T = decltype(element);
        if constexpr (std::is_integral_v<T>) {
            meanOfLevels<T>(call, plan);
        } else {
            meanOfFloats<T>(call, plan);
        }
    });
    return JobStatus::kOk;
}

template <typename Fold>
JobStatus reduceFloats(OperatorCall& call, double start, const Fold& fold) {
    VNPU_TRY_ASSIGN(const ReductionPlan plan, settleReduction(call));
    withElement<kFloatTypes>(call.input(0).type, [&](auto element) {
        reduce<decltype(element)>(call, plan, start, fold,
                                  [](double result) { return static_cast<float>(result); });
    });
    return JobStatus::kOk;
}

JobStatus sumOperator(OperatorCall& call) {
    return reduceFloats(call, 0.0, [](double sum, float value) { return sum + double{value}; });
}

JobStatus productOperator(OperatorCall& call) {
    return reduceFloats(call, 1.0,
                        [](double product, float value) { return product * double{value}; });
}

/// The maximum or minimum; the opposite limit of the type if there are no elements.
template <bool isMaximum>
JobStatus extremeOperator(OperatorCall& call) {
    VNPU_TRY(requireInputsQuantization(call));
    VNPU_TRY_ASSIGN(const ReductionPlan plan, settleReduction(call));
    withElement<kRealTypes>(call.input(0).type, [&](auto element) {
        using T = decltype(element);
        using Value = Computed<T>;
        using Limits = std::numeric_limits<Value>;
        Value start = isMaximum ? Limits::lowest() : Limits::max();
        if constexpr (Limits::has_infinity) {
            start = isMaximum ? -Limits::infinity() : Limits::infinity();
        }
        const auto fold = [](Value best, Value value) {
            return isMaximum ? std::max(best, value) : std::min(best, value);
        };
        reduce<T>(call, plan, start, fold, [](Value best) { return best; });
    });
    return JobStatus::kOk;
}

/// Whether all, or any, elements are true.
template <bool isAll>
JobStatus truthOperator(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const ReductionPlan plan, settleReduction(call));
    const auto fold = [](std::uint8_t result, std::uint8_t value) {
        const bool isTrue = value != 0;
        return static_cast<std::uint8_t>(isAll ? (result != 0 && isTrue) : (result != 0 || isTrue));
    };
    reduce<std::uint8_t>(call, plan, static_cast<std::uint8_t>(isAll ? 1 : 0), fold,
                         [](std::uint8_t result) { return result; });
    return JobStatus::kOk;
}

/// Index of the first maximum, or minimum, of each line.
template <typename T, typename Better>
void findExtremes(OperatorCall& call, const LineShape& lines, const Better& isBetter) {
    const T* input = call.input(0).as<T>();
    auto* output = call.write<std::int32_t>(0);
    const std::uint64_t cost =
            std::uint64_t{lines.outer} * lines.length * lines.inner * kReductionCost;
    forEachTask(lines.outer, cost, [&](std::size_t i) {
        for (std::size_t j = 0; j < lines.inner; ++j) {
            const T* line = input + i * lines.length * lines.inner + j;
            std::size_t best = 0;
            auto bestValue = static_cast<Computed<T>>(line[0]);
            for (std::size_t x = 1; x < lines.length; ++x) {
                const auto value = static_cast<Computed<T>>(line[x * lines.inner]);
                if (isBetter(value, bestValue)) {
                    best = x;
                    bestValue = value;
                }
            }
            output[i * lines.inner + j] = static_cast<std::int32_t>(best);
        }
    });
}

template <typename Better>
JobStatus findOperator(OperatorCall& call, const Better& isBetter) {
    const Dimensions& shape = call.input(0).dimensions;
    VNPU_TRY_ASSIGN(const std::size_t axis, resolveAxis(call, call.int32(1), shape.rank()));
    Dimensions found;
    for (std::size_t d = 0; d < shape.rank(); ++d) {
        if (d != axis) {
            found.append(shape[d]);
        }
    }
    if (found.rank() == 0) {
        found.append(1);  // NNAPI has no tensors of rank 0
    }
    if (found.elements() != 0 && shape[axis] == 0) {
        return call.refuse(fmt::format("dimension {} of input 0 is 0, expected elements", axis));
    }
    VNPU_TRY(call.settle(0, found));
    if (found.elements() != 0) {
        withElement<kNumberTypes>(call.input(0).type, [&](auto element) {
            findExtremes<decltype(element)>(call, LineShape(shape, axis, axis + 1), isBetter);
        });
    }
    return JobStatus::kOk;
}

JobStatus argmaxOperator(OperatorCall& call) {
    return findOperator(call, [](auto value, auto best) { return value > best; });
}

JobStatus argminOperator(OperatorCall& call) {
    return findOperator(call, [](auto value, auto best) { return value < best; });
}

constexpr OperatorEntry kReductionEntries[] = {
        {Operator::kMean, {"Tvi", "T", kRealTypes}, meanOperator},
        {Operator::kReduceAll, {"Tvb", "T", kBoolType}, truthOperator<true>},
        {Operator::kReduceAny, {"Tvb", "T", kBoolType}, truthOperator<false>},
        {Operator::kReduceMax, {"Tvb", "T", kRealTypes}, extremeOperator<true>},
        {Operator::kReduceMin, {"Tvb", "T", kRealTypes}, extremeOperator<false>},
        {Operator::kReduceProd, {"Tvb", "T", kFloatTypes}, productOperator},
        {Operator::kReduceSum, {"Tvb", "T", kFloatTypes}, sumOperator},
        {Operator::kArgmax, {"Ti", "v", kNumberTypes}, argmaxOperator},
        {Operator::kArgmin, {"Ti", "v", kNumberTypes}, argminOperator}};

}  // namespace

std::span<const OperatorEntry> reductionOperators() {
    return kReductionEntries;
}

}  // namespace vnpu::hw::kernels
