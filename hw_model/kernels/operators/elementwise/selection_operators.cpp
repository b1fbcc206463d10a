// SPDX-License-Identifier: Apache-2.0
// MAXIMUM, MINIMUM, SELECT, PRELU and POW.
#include <algorithm>

#include "hw_model/kernels/operators/broadcast.h"
#include "hw_model/kernels/operators/elementwise/elementwise_operators.h"
#include "hw_model/kernels/operators/operator_checks.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/kernels/operators/real_functions.h"
#include "hw_model/kernels/support/element_access.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kSelectionCost = 2;  // operations of an element
constexpr std::size_t kPowCost = 60;

JobStatus prepareSelection(OperatorCall& call, TypeSet types, BroadcastPlan& plan) {
    VNPU_TRY(call.requireOperands(2, 2, 1, 2));
    VNPU_TRY(requireInput(call, 0, types));
    const TypeSet same = typeSet({call.input(0).type});
    VNPU_TRY(requireInput(call, 1, same));
    VNPU_TRY(requireOutput(call, 0, same));
    VNPU_TRY(planBroadcast(call, 0, 1, plan));
    return call.settle(0, plan.dimensions);
}

template <typename T, typename Function>
void combine(OperatorCall& call, const BroadcastPlan& plan, std::size_t cost, Function function) {
    combineElements(plan, call.input(0).as<T>(), call.input(1).as<T>(), call.write<T>(0), cost,
                    makeLoop<Computed<T>, Computed<T>>(function));
}

template <typename Function>
void combineFloats(OperatorCall& call, const BroadcastPlan& plan, std::size_t cost,
                   Function function) {
    if (call.input(0).type == TensorType::kFloat16) {
        combine<Eigen::half>(call, plan, cost, function);
    } else {
        combine<float>(call, plan, cost, function);
    }
}

/// One of both operands: the greater, or the lesser.
template <typename Choice>
JobStatus choose(OperatorCall& call, const Choice& choice) {
    BroadcastPlan plan;
    VNPU_TRY(prepareSelection(call, kFloatTypes | kInt32Type | kAsymm8Types, plan));
    if (call.input(0).type == TensorType::kInt32) {
        combine<std::int32_t>(call, plan, kSelectionCost, choice);
    } else if (contains(kAsymm8Types, call.input(0).type)) {
        const TensorType type = call.output(0).type;
        const ByteTable<std::uint8_t> first = requantizedLevels(call.input(0), call.output(0));
        const ByteTable<std::uint8_t> second = requantizedLevels(call.input(1), call.output(0));
        combine<std::uint8_t>(call, plan, kSelectionCost, [&](std::uint8_t a, std::uint8_t b) {
            return choice(levelOf(type, first[a]), levelOf(type, second[b]));
        });
    } else {
        combineFloats(call, plan, kSelectionCost, choice);
    }
    return JobStatus::kOk;
}

/// The negative inputs times the slope, both in fixed point.
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

template <typename T, typename Map>
void select(OperatorCall& call, const Map& first, const Map& second) {
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

template <typename T>
void selectPlain(OperatorCall& call) {
    const auto asIs = [](T value) { return value; };
    select<T>(call, asIs, asIs);
}

void selectBytes(OperatorCall& call) {
    const ByteTable<std::uint8_t> first = requantizedLevels(call.input(1), call.output(0));
    const ByteTable<std::uint8_t> second = requantizedLevels(call.input(2), call.output(0));
    struct Lookup {
        const ByteTable<std::uint8_t>& table;
        std::uint8_t operator()(std::uint8_t byte) const { return table[byte]; }
    };
    select<std::uint8_t>(call, Lookup{first}, Lookup{second});
}

}  // namespace

JobStatus maximumOperator(OperatorCall& call) {
    return choose(call, [](auto a, auto b) { return std::max(a, b); });
}

JobStatus minimumOperator(OperatorCall& call) {
    return choose(call, [](auto a, auto b) { return std::min(a, b); });
}

JobStatus powOperator(OperatorCall& call) {
    BroadcastPlan plan;
    VNPU_TRY(prepareSelection(call, kFloatTypes, plan));
    combineFloats(call, plan, kPowCost, power);
    return JobStatus::kOk;
}

JobStatus preluOperator(OperatorCall& call) {
    BroadcastPlan plan;
    VNPU_TRY(prepareSelection(call, kFloatTypes | kAsymm8Types, plan));
    if (contains(kAsymm8Types, call.input(0).type)) {
        scaleNegativeBytes(call, plan);
    } else {
        combineFloats(call, plan, kSelectionCost, [](float value, float slope) {
            return value >= 0.0F ? value : value * slope;
        });
    }
    return JobStatus::kOk;
}

JobStatus selectOperator(OperatorCall& call) {
    VNPU_TRY(call.requireOperands(3, 3, 1, 3));
    VNPU_TRY(requireInput(call, 0, kBoolType));
    VNPU_TRY(requireInput(call, 1, kFloatTypes | kInt32Type | kAsymm8Types));
    const TypeSet same = typeSet({call.input(1).type});
    VNPU_TRY(requireInput(call, 2, same));
    VNPU_TRY(requireOutput(call, 0, same));
    VNPU_TRY(requireSameDimensions(call, 0, 1));
    VNPU_TRY(requireSameDimensions(call, 0, 2));
    VNPU_TRY(call.settle(0, call.input(0).dimensions));
    if (contains(kAsymm8Types, call.input(1).type)) {
        selectBytes(call);
    } else if (call.input(1).type == TensorType::kFloat16) {
        selectPlain<std::uint16_t>(call);
    } else {
        selectPlain<std::uint32_t>(call);
    }
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels
