// SPDX-License-Identifier: Apache-2.0
// Functions of one element: activations and those of floats.
#include <algorithm>
#include <cmath>

#include "hw_model/kernels/operators/broadcast.h"
#include "hw_model/kernels/operators/elementwise/hard_swish.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/kernels/operators/real_functions.h"
#include "hw_model/kernels/support/element_access.h"
#include "hw_model/kernels/support/exponential.h"

namespace vnpu::hw::kernels {
namespace {

// Operations of an element.
constexpr std::size_t kCheap = 2;
constexpr std::size_t kCostly = 30;

void lookUp(OperatorCall& call, const ByteTable<std::uint8_t>& table) {
    map<std::uint8_t>(call, kCheap, [&table](std::uint8_t byte) { return table[byte]; });
}

/// function(level - zero point) returns the output's level.
template <typename Function>
void mapBytes(OperatorCall& call, const Function& function) {
    lookUp(call, tabulate<std::uint8_t>(call.input(0), [&](std::int32_t difference) {
               return static_cast<std::uint8_t>(function(difference));
           }));
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
JobStatus computeFloats(OperatorCall& call, std::size_t cost, Function function) {
    VNPU_TRY(call.settle(0, call.input(0).dimensions));
    mapFloats(call, cost, function);
    return JobStatus::kOk;
}

/// Floats by `ofFloats`; 8 bits by `ofBytes()`.
template <typename OfFloats, typename OfBytes>
JobStatus computeReal(OperatorCall& call, std::size_t cost, OfFloats ofFloats,
                      const OfBytes& ofBytes) {
    if (!isAsymm8(call.input(0))) {
        return computeFloats(call, cost, ofFloats);
    }
    VNPU_TRY(call.settle(0, call.input(0).dimensions));
    ofBytes();
    return JobStatus::kOk;
}

template <typename OfFloats, typename OfIntegers>
JobStatus computeNumbers(OperatorCall& call, OfFloats ofFloats, OfIntegers ofIntegers) {
    if (call.input(0).type != TensorType::kInt32) {
        return computeFloats(call, kCheap, ofFloats);
    }
    VNPU_TRY(call.settle(0, call.input(0).dimensions));
    map<std::int32_t>(call, kCheap, ofIntegers);
    return JobStatus::kOk;
}

void clampBytes(OperatorCall& call, FusedActivation kind) {
    const Tensor& input = call.input(0);
    const Tensor& output = call.output(0);
    if (input.scale == output.scale && input.zeroPoint == output.zeroPoint) {
        const LevelRange levels = activationLevels(kind, output);
        mapBytes(call, [&](std::int32_t difference) {
            return std::clamp(difference + input.zeroPoint, levels.min, levels.max);
        });
    } else {
        const OutputStage stage = stageOf(output, kind, double{input.scale} / double{output.scale});
        mapBytes(call,
                 [&](std::int32_t difference) { return applyOutputStage(stage, difference); });
    }
}

template <FusedActivation kKind>
JobStatus relu(OperatorCall& call) {
    const RealRange range = activationRange(kKind);
    return computeReal(
            call, kCheap,
            [range](float value) {
                return std::min(std::max(value, range.low), range.high);  // passes NaNs
            },
            [&] { clampBytes(call, kKind); });
}

JobStatus logisticOperator(OperatorCall& call) {
    return computeReal(call, kCostly, logistic, [&] {
        mapQuantized(call, [](double x) { return 1.0 / (1.0 + wideExponential(-x)); });
    });
}

JobStatus tanhOperator(OperatorCall& call) {
    return computeReal(call, kCostly, hyperbolicTangent,
                       [&] { mapQuantized(call, wideHyperbolicTangent); });
}

JobStatus hardSwishOperator(OperatorCall& call) {
    return computeReal(
            call, kCheap,
            [](float x) { return x * std::min(std::max(x + 3.0F, 0.0F), 6.0F) / 6.0F; },
            [&] { mapBytes(call, FixedHardSwish(call.input(0).scale, call.output(0))); });
}

JobStatus eluOperator(OperatorCall& call) {
    const double alpha = call.real(1);
    return computeFloats(call, kCostly, [alpha](float x) {
        return x < 0.0F ? static_cast<float>(alpha * wideExponentialMinusOne(double{x})) : x;
    });
}

JobStatus absOperator(OperatorCall& call) {
    return computeNumbers(
            call, [](float x) { return std::abs(x); },
            [](std::int32_t x) { return x < 0 ? wrappingSubtract(0, x) : x; });
}

JobStatus negOperator(OperatorCall& call) {
    return computeNumbers(
            call, [](float x) { return -x; },
            [](std::int32_t x) { return wrappingSubtract(0, x); });
}

/// A function of floats.
template <std::size_t kCost, auto kFunction>
JobStatus floatOperator(OperatorCall& call) {
    return computeFloats(call, kCost, [](float x) { return kFunction(x); });
}

constexpr Signature kReal = {"T", "T", kRealTypes};
constexpr Signature kFloat = {"T", "T", kFloatTypes};
constexpr Signature kSigned = {"T", "T", kFloatTypes | kInt32Type};

constexpr auto kFloor = [](float x) { return std::floor(x); };
constexpr auto kSquareRoot = [](float x) { return std::sqrt(x); };
constexpr auto kInverseRoot = [](float x) {
    return static_cast<float>(1.0 / std::sqrt(double{x}));
};

constexpr OperatorEntry kActivationEntries[] = {
        {Operator::kRelu, kReal, relu<FusedActivation::kRelu>},
        {Operator::kRelu1, kReal, relu<FusedActivation::kRelu1>},
        {Operator::kRelu6, kReal, relu<FusedActivation::kRelu6>},
        {Operator::kLogistic, kReal, logisticOperator},
        {Operator::kTanh, kReal, tanhOperator},
        {Operator::kElu, {"Tf", "T", kFloatTypes}, eluOperator},
        {Operator::kHardSwish, kReal, hardSwishOperator},
        {Operator::kAbs, kSigned, absOperator},
        {Operator::kNeg, kSigned, negOperator},
        {Operator::kExp, kFloat, floatOperator<kCostly, exponential>},
        {Operator::kLog, kFloat, floatOperator<kCostly, logarithm>},
        {Operator::kSin, kFloat, floatOperator<kCostly, sine>},
        {Operator::kFloor, kFloat, floatOperator<kCheap, kFloor>},
        {Operator::kSqrt, kFloat, floatOperator<kCostly, kSquareRoot>},
        {Operator::kRsqrt, kFloat, floatOperator<kCostly, kInverseRoot>}};

}  // namespace

std::span<const OperatorEntry> activationOperators() {
    return kActivationEntries;
}

}  // namespace vnpu::hw::kernels
