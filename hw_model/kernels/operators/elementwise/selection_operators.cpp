// SPDX-License-Identifier: Apache-2.0
// MAXIMUM, MINIMUM, SELECT, PRELU and POW.
#include <algorithm>
#include <functional>

#include "hw_model/kernels/operators/broadcast.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/kernels/operators/real_functions.h"
#include "hw_model/kernels/support/element_access.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kSelectionCost = 2;  // operations of an element
constexpr std::size_t kPowCost = 60;

/// The greater or the lesser of both operands.
template <typename Choice>
JobStatus choose(OperatorCall& call, const Choice& choice) {
    VNPU_TRY_ASSIGN(const BroadcastPlan plan, settleBroadcast(call));
    if (isAsymm8(call.input(0))) {
        const TensorType type = call.output(0).type;
        const ByteTable<std::uint8_t> first = requantizedLevels(call.input(0), call.output(0));
        const ByteTable<std::uint8_t> second = requantizedLevels(call.input(1), call.output(0));
        combine<std::uint8_t>(call, plan, kSelectionCost, [&](std::uint8_t a, std::uint8_t b) {
            return choice(levelOf(type, first[a]), levelOf(type, second[b]));
        });
    } else {
        withElement<kFloatTypes | kInt32Type>(call.input(0).type, [&](auto element) {
            combine<decltype(element)>(call, plan, kSelectionCost, choice);
        });
    }
    return JobStatus::kOk;
}

/// Multiplies negative inputs by the slope, both in fixed point.
void scaleNegativeBytes(OperatorCall& call, const BroadcastPlan& plan) {
    const Tensor& input = call.input(0);
    const Tensor& slope = call.input(1);
    const Tensor& output = call.output(0);
    const auto difference = [](std::int32_t value) { return value; };
    const auto inputs = tabulate<std::int32_t>(input, difference);
    const auto slopes = tabulate<std::int32_t>(slope, difference);
    const double scale = double{input.scale} / double{output.scale};
    const OutputStage positive = stageOf(output, FusedActivation::kNone, scale);
    const OutputStage negative =
            stageOf(output, FusedActivation::kNone,
                    double{input.scale} * double{slope.scale} / double{output.scale});
    combine<std::uint8_t>(call, plan, kSelectionCost, [&](std::uint8_t a, std::uint8_t b) {
        const std::int32_t value = inputs[a];
        return value >= 0 ? applyOutputStage(positive, value)
                          : applyOutputStage(negative, value * slopes[b]);
    });
}

JobStatus preluOperator(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const BroadcastPlan plan, settleBroadcast(call));
    if (isAsymm8(call.input(0))) {
        scaleNegativeBytes(call, plan);
    } else {
        combineFloats(call, plan, kSelectionCost, [](float value, float slope) {
            return value >= 0.0F ? value : value * slope;
        });
    }
    return JobStatus::kOk;
}

JobStatus powOperator(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const BroadcastPlan plan, settleBroadcast(call));
    combineFloats(call, plan, kPowCost, power);
    return JobStatus::kOk;
}

/// Selects input 1 where the mask is true, else input 2; 8-bit levels through a table.
template <typename T, typename OfFirst, typename OfSecond>
void selectElements(OperatorCall& call, const OfFirst& first, const OfSecond& second) {
    const auto* mask = call.input(0).as<std::uint8_t>();
    const T* a = call.input(1).as<T>();
    const T* b = call.input(2).as<T>();
    T* output = call.write<T>(0);
    forEachRange(call.input(0).elements(), kSelectionCost, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            output[i] = mask[i] != 0 ? first(a[i]) : second(b[i]);
        }
    });
}

JobStatus selectOperator(OperatorCall& call) {
    VNPU_TRY(requireDimensions(call, 1, call.input(0).dimensions));
    VNPU_TRY(requireDimensions(call, 2, call.input(0).dimensions));
    VNPU_TRY(call.settle(0, call.input(0).dimensions));
    if (isAsymm8(call.input(1))) {
        const auto of = [&](std::size_t i) {
            return [table = requantizedLevels(call.input(i), call.output(0))](std::uint8_t byte) {
                return table[byte];
            };
        };
        selectElements<std::uint8_t>(call, of(1), of(2));
    } else if (call.input(1).type == TensorType::kFloat16) {
        selectElements<std::uint16_t>(call, std::identity(), std::identity());
    } else {
        selectElements<std::uint32_t>(call, std::identity(), std::identity());
    }
    return JobStatus::kOk;
}

constexpr OperatorEntry kSelectionEntries[] = {
        {Operator::kMaximum,
         {"TT", "T", kNumberTypes},
         [](OperatorCall& call) {
             return choose(call, [](auto a, auto b) { return std::max(a, b); });
         }},
        {Operator::kMinimum,
         {"TT", "T", kNumberTypes},
         [](OperatorCall& call) {
             return choose(call, [](auto a, auto b) { return std::min(a, b); });
         }},
        {Operator::kPow, {"TT", "T", kFloatTypes}, powOperator},
        {Operator::kPrelu, {"TT", "T", kRealTypes}, preluOperator},
        {Operator::kSelect, {"kTT", "T", kNumberTypes}, selectOperator}};

}  // namespace

std::span<const OperatorEntry> selectionOperators() {
    return kSelectionEntries;
}

}  // namespace vnpu::hw::kernels
