// SPDX-License-Identifier: Apache-2.0
// Functions of one element: activations and those of floats.
#include <algorithm>
#include <cmath>

#include "hw_model/kernels/operators/broadcast.h"
#include "hw_model/kernels/operators/elementwise/hard_swish.h"
#include "hw_model/kernels/operators/operator_checks.h"
#include "hw_model/kernels/operators/operator_table.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/kernels/operators/real_functions.h"
#include "hw_model/kernels/support/element_access.h"
#include "hw_model/kernels/support/exponential.h"

namespace vnpu::hw::kernels {
namespace {

// Operations of an element.
constexpr std::size_t kCheap = 2;
constexpr std::size_t kCostly = 30;

/// One input of one of `types`, and an output of the same type and dimensions, which gets its room.
JobStatus prepareActivation(OperatorCall& call, TypeSet types, std::size_t inputs = 1) {
    VNPU_TRY(call.requireOperands(inputs, inputs, 1, inputs));
    VNPU_TRY(requireInput(call, 0, types));
    VNPU_TRY(requireOutput(call, 0, typeSet({call.input(0).type})));
    return call.settle(0, call.input(0).dimensions);
}

template <typename T, typename Function>
void map(OperatorCall& call, std::size_t cost, Function function) {
    mapElements(call.input(0).as<T>(), call.write<T>(0),
                static_cast<std::size_t>(call.input(0).elements()), cost,
                makeLoop<Computed<T>, Computed<T>>(function));
}

template <typename Function>
void mapFloats(OperatorCall& call, std::size_t cost, Function function) {
    if (call.input(0).type == TensorType::kFloat16) {
        map<Eigen::half>(call, cost, function);
    } else {
        map<float>(call, cost, function);
    }
}

void lookUp(OperatorCall& call, const ByteTable<std::uint8_t>& table) {
    map<std::uint8_t>(call, kCheap, [&table](std::uint8_t byte) { return table[byte]; });
}

/// function(level - zero point) gives the output's level.
template <typename Function>
void mapBytes(OperatorCall& call, const Function& function) {
    lookUp(call, tabulate<std::uint8_t>(call.input(0), [&](std::int32_t difference) {
               return static_cast<std::uint8_t>(function(difference));
           }));
}

bool isQuantized(const OperatorCall& call) {
    return contains(kAsymm8Types, call.input(0).type);
}

/// A function of real values on a quantized operand, rounded to the nearest level.
template <typename Function>
void mapQuantized(OperatorCall& call, const Function& function) {
    const Tensor& output = call.output(0);
    const double scale = call.input(0).scale;
    mapBytes(call, [&](std::int32_t difference) {
        return nearestLevel(output, function(difference * scale) / double{output.scale});
    });
}

template <typename Function>
JobStatus floatOperator(OperatorCall& call, std::size_t cost, Function function) {
    VNPU_TRY(prepareActivation(call, kFloatTypes));
    mapFloats(call, cost, function);
    return JobStatus::kOk;
}

JobStatus clampOperator(OperatorCall& call, FusedActivation kind) {
    VNPU_TRY(prepareActivation(call, kFloatTypes | kAsymm8Types));
    const Tensor& input = call.input(0);
    const Tensor& output = call.output(0);
    if (!isQuantized(call)) {
        const RealRange range = activationRange(kind);
        mapFloats(call, kCheap, [range](float value) {
            return std::min(std::max(value, range.low), range.high);  // passes no-numbers
        });
    } else if (input.scale == output.scale && input.zeroPoint == output.zeroPoint) {
        const LevelRange levels = activationLevels(kind, output);
        mapBytes(call, [&](std::int32_t difference) {
            return std::clamp(difference + input.zeroPoint, levels.min, levels.max);
        });
    } else {
        const OutputStage stage = stageOf(output, kind, double{input.scale} / double{output.scale});
        mapBytes(call,
                 [&](std::int32_t difference) { return applyOutputStage(stage, difference); });
    }
    return JobStatus::kOk;
}

template <FusedActivation kind>
JobStatus reluOperator(OperatorCall& call) {
    return clampOperator(call, kind);
}

JobStatus logisticOperator(OperatorCall& call) {
    VNPU_TRY(prepareActivation(call, kFloatTypes | kAsymm8Types));
    if (isQuantized(call)) {
        mapQuantized(call, [](double x) { return 1.0 / (1.0 + wideExponential(-x)); });
    } else {
        mapFloats(call, kCostly, logistic);
    }
    return JobStatus::kOk;
}

JobStatus tanhOperator(OperatorCall& call) {
    VNPU_TRY(prepareActivation(call, kFloatTypes | kAsymm8Types));
    if (isQuantized(call)) {
        mapQuantized(call, wideHyperbolicTangent);
    } else {
        mapFloats(call, kCostly, hyperbolicTangent);
    }
    return JobStatus::kOk;
}

JobStatus hardSwishOperator(OperatorCall& call) {
    VNPU_TRY(prepareActivation(call, kFloatTypes | kAsymm8Types));
    if (isQuantized(call)) {
        const FixedHardSwish hardSwish(call.input(0).scale, call.output(0));
        mapBytes(call, hardSwish);
    } else {
        mapFloats(call, kCheap,
                  [](float x) { return x * std::min(std::max(x + 3.0F, 0.0F), 6.0F) / 6.0F; });
    }
    return JobStatus::kOk;
}

JobStatus eluOperator(OperatorCall& call) {
    VNPU_TRY(prepareActivation(call, kFloatTypes, 2));
    VNPU_TRY(requireScalar(call, 1, kRealScalars));
    const double alpha = call.real(1);
    mapFloats(call, kCostly, [alpha](float x) {
        return x < 0.0F ? static_cast<float>(alpha * wideExponentialMinusOne(double{x})) : x;
    });
    return JobStatus::kOk;
}

JobStatus absOperator(OperatorCall& call) {
    VNPU_TRY(prepareActivation(call, kFloatTypes | kInt32Type));
    if (call.input(0).type == TensorType::kInt32) {
        map<std::int32_t>(call, kCheap,
                          [](std::int32_t x) { return x < 0 ? wrappingSubtract(0, x) : x; });
    } else {
        mapFloats(call, kCheap, [](float x) { return std::abs(x); });
    }
    return JobStatus::kOk;
}

JobStatus negOperator(OperatorCall& call) {
    VNPU_TRY(prepareActivation(call, kFloatTypes | kInt32Type));
    if (call.input(0).type == TensorType::kInt32) {
        map<std::int32_t>(call, kCheap, [](std::int32_t x) { return wrappingSubtract(0, x); });
    } else {
        mapFloats(call, kCheap, [](float x) { return -x; });
    }
    return JobStatus::kOk;
}

JobStatus expOperator(OperatorCall& call) {
    return floatOperator(call, kCostly, exponential);
}

JobStatus floorOperator(OperatorCall& call) {
    return floatOperator(call, kCheap, [](float x) { return std::floor(x); });
}

JobStatus logOperator(OperatorCall& call) {
    return floatOperator(call, kCostly, logarithm);
}

JobStatus rsqrtOperator(OperatorCall& call) {
    return floatOperator(call, kCostly,
                         [](float x) { return static_cast<float>(1.0 / std::sqrt(double{x})); });
}

JobStatus sinOperator(OperatorCall& call) {
    return floatOperator(call, kCostly, sine);
}

JobStatus sqrtOperator(OperatorCall& call) {
    return floatOperator(call, kCostly, [](float x) { return std::sqrt(x); });
}

}  // namespace

std::span<const OperatorEntry> activationOperators() {
    static constexpr OperatorEntry kEntries[] = {
            {Operator::kRelu, reluOperator<FusedActivation::kRelu>},
            {Operator::kRelu1, reluOperator<FusedActivation::kRelu1>},
            {Operator::kRelu6, reluOperator<FusedActivation::kRelu6>},
            {Operator::kLogistic, logisticOperator},
            {Operator::kTanh, tanhOperator},
            {Operator::kElu, eluOperator},
            {Operator::kHardSwish, hardSwishOperator},
            {Operator::kAbs, absOperator},
            {Operator::kExp, expOperator},
            {Operator::kFloor, floorOperator},
            {Operator::kLog, logOperator},
            {Operator::kNeg, negOperator},
            {Operator::kRsqrt, rsqrtOperator},
            {Operator::kSin, sinOperator},
            {Operator::kSqrt, sqrtOperator},
    };
    return kEntries;
}

}  // namespace vnpu::hw::kernels
