// SPDX-License-Identifier: Apache-2.0
// ADD, SUB, MUL and DIV with a fused activation.
#include <algorithm>
#include <limits>

#include "hw_model/kernels/operators/broadcast.h"
#include "hw_model/kernels/operators/elementwise/elementwise_operators.h"
#include "hw_model/kernels/operators/operator_checks.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/kernels/support/element_access.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kBinaryCost = 2;  // operations of an element

struct Binary {
    BroadcastPlan plan;
    FusedActivation activation = FusedActivation::kNone;
};

/// Checks the operands and gives the output its room.
JobStatus prepareBinary(OperatorCall& call, TypeSet types, Binary& binary) {
    VNPU_TRY(call.requireOperands(3, 3, 1, 3));
    VNPU_TRY(requireInput(call, 0, types));
    const TypeSet same = typeSet({call.input(0).type});
    VNPU_TRY(requireInput(call, 1, same));
    VNPU_TRY(requireOutput(call, 0, same));
    VNPU_TRY(readActivation(call, 2, binary.activation));
    if (call.input(0).type == TensorType::kInt32 && binary.activation != FusedActivation::kNone) {
        return call.refuse("operands are int32, expected no activation");
    }
    VNPU_TRY(planBroadcast(call, 0, 1, binary.plan));
    return call.settle(0, binary.plan.dimensions);
}

template <typename T, typename Function>
void combine(OperatorCall& call, const Binary& binary, Function function) {
    combineElements(binary.plan, call.input(0).as<T>(), call.input(1).as<T>(), call.write<T>(0),
                    kBinaryCost, makeLoop<Computed<T>, Computed<T>>(function));
}

/// The operator's function on floats of either width, clamped.
template <typename Function>
void combineFloats(OperatorCall& call, const Binary& binary, Function function) {
    const RealRange range = activationRange(binary.activation);
    const auto clamped = [function, range](float a, float b) {
        return std::min(std::max(function(a, b), range.low), range.high);  // passes no-numbers
    };
    if (call.input(0).type == TensorType::kFloat16) {
        combine<Eigen::half>(call, binary, clamped);
    } else {
        combine<float>(call, binary, clamped);
    }
}

/// The contribution of an operand to a quantized sum: its difference to the zero point, with 20
/// bits more, in units of twice the larger input scale.
ByteTable<std::int32_t> addends(const Tensor& operand, double twiceMaxScale) {
    constexpr std::int32_t kSumUnit = 1 << 20;  // source: TFLite reference ADD, 8-bit operands
    const QuantizedMultiplier scaling = quantizeMultiplier(double{operand.scale} / twiceMaxScale);
    return tabulate<std::int32_t>(operand, [&](std::int32_t difference) {
        return multiplyByQuantizedMultiplier(difference * kSumUnit, scaling.multiplier,
                                             scaling.shift);
    });
}

/// a + b, or a - b where `sign` is -1.
void addBytes(OperatorCall& call, const Binary& binary, std::int32_t sign) {
    const Tensor& output = call.output(0);
    const double twiceMax = 2.0 * double{std::max(call.input(0).scale, call.input(1).scale)};
    const ByteTable<std::int32_t> first = addends(call.input(0), twiceMax);
    ByteTable<std::int32_t> second = addends(call.input(1), twiceMax);
    for (std::int32_t& addend : second) {
        addend *= sign;
    }
    const OutputStage stage =
            stageOf(output, binary.activation, twiceMax / (double{1 << 20} * double{output.scale}));
    combine<std::uint8_t>(call, binary, [&](std::uint8_t a, std::uint8_t b) {
        return applyOutputStage(stage, first[a] + second[b]);
    });
}

void multiplyBytes(OperatorCall& call, const Binary& binary) {
    const auto difference = [](std::int32_t value) { return value; };
    const Tensor& a = call.input(0);
    const Tensor& b = call.input(1);
    const auto first = tabulate<std::int32_t>(a, difference);
    const auto second = tabulate<std::int32_t>(b, difference);
    const OutputStage stage =
            stageOf(call.output(0), binary.activation,
                    double{a.scale} * double{b.scale} / double{call.output(0).scale});
    combine<std::uint8_t>(call, binary, [&](std::uint8_t x, std::uint8_t y) {
        return applyOutputStage(stage, first[x] * second[y]);
    });
}

/// Quotient rounded towards minus infinity; INT32_MIN / -1 wraps. NNAPI leaves the quotient by zero
/// undefined but has it computed: it is zero, as of most processors that do not trap.
std::int32_t floorDivide(std::int32_t a, std::int32_t b) {
    if (b == 0) {
        return 0;
    }
    const std::int64_t quotient = std::int64_t{a} / b;
    const bool isInexact = quotient * b != a;
    return static_cast<std::int32_t>(quotient - (isInexact && (a < 0) != (b < 0) ? 1 : 0));
}

}  // namespace

JobStatus addOperator(OperatorCall& call) {
    Binary binary;
    VNPU_TRY(prepareBinary(call, kFloatTypes | kAsymm8Types | kInt32Type, binary));
    if (call.input(0).type == TensorType::kInt32) {
        combine<std::int32_t>(call, binary, wrappingAdd);
    } else if (contains(kAsymm8Types, call.input(0).type)) {
        addBytes(call, binary, 1);
    } else {
        combineFloats(call, binary, [](float a, float b) { return a + b; });
    }
    return JobStatus::kOk;
}

JobStatus subOperator(OperatorCall& call) {
    Binary binary;
    VNPU_TRY(prepareBinary(call, kFloatTypes | kAsymm8Types | kInt32Type, binary));
    if (call.input(0).type == TensorType::kInt32) {
        combine<std::int32_t>(call, binary, wrappingSubtract);
    } else if (contains(kAsymm8Types, call.input(0).type)) {
        addBytes(call, binary, -1);
    } else {
        combineFloats(call, binary, [](float a, float b) { return a - b; });
    }
    return JobStatus::kOk;
}

JobStatus mulOperator(OperatorCall& call) {
    Binary binary;
    VNPU_TRY(prepareBinary(call, kFloatTypes | kAsymm8Types | kInt32Type, binary));
    if (call.input(0).type == TensorType::kInt32) {
        combine<std::int32_t>(call, binary, wrappingMultiply);
    } else if (contains(kAsymm8Types, call.input(0).type)) {
        multiplyBytes(call, binary);
    } else {
        combineFloats(call, binary, [](float a, float b) { return a * b; });
    }
    return JobStatus::kOk;
}

JobStatus divOperator(OperatorCall& call) {
    Binary binary;
    VNPU_TRY(prepareBinary(call, kFloatTypes | kInt32Type, binary));
    if (call.input(0).type != TensorType::kInt32) {
        combineFloats(call, binary, [](float a, float b) { return a / b; });
        return JobStatus::kOk;
    }
    combine<std::int32_t>(call, binary, floorDivide);
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels
