// SPDX-License-Identifier: Apache-2.0
// ADD, SUB, MUL and DIV with a fused activation.
#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "hw_model/kernels/operators/broadcast.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/kernels/support/element_access.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kBinaryCost = 2;  // operations of an element

struct Binary {
    BroadcastPlan plan;
    FusedActivation activation;
};

/// Reads the activation and settles the output.
std::optional<Binary> settleBinary(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const FusedActivation activation, readActivation(call, 2));
    if (call.input(0).type == TensorType::kInt32 && activation != FusedActivation::kNone) {
        return call.refuse("operands are int32, expected no activation");
    }
    VNPU_TRY_ASSIGN(const BroadcastPlan plan, settleBroadcast(call));
    return Binary{plan, activation};
}

/// The contributions of an operand to a quantized sum: the difference to its zero point, with 20
/// more bits, in units of twice the larger input scale.
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
    combine<std::uint8_t>(call, binary.plan, kBinaryCost, [&](std::uint8_t a, std::uint8_t b) {
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
    combine<std::uint8_t>(call, binary.plan, kBinaryCost, [&](std::uint8_t x, std::uint8_t y) {
        return applyOutputStage(stage, first[x] * second[y]);
    });
}

/// Quotient rounded toward minus infinity; INT32_MIN / -1 wraps. NNAPI requires that a division by
/// zero does not fail but leaves its quotient undefined: here it is zero, as on most processors
/// that do not trap.
std::int32_t floorDivide(std::int32_t a, std::int32_t b) {
    if (b == 0) {
        return 0;
    }
    const std::int64_t quotient = std::int64_t{a} / b;
    const bool isInexact = quotient * b != a;
    return static_cast<std::int32_t>(quotient - (isInexact && (a < 0) != (b < 0) ? 1 : 0));
}

/// Applies `ofIntegers` or `ofFloats` to the elements, with floats clamped; `ofBytes` computes the
/// 8-bit types.
template <typename OfIntegers, typename OfFloats, typename OfBytes>
JobStatus computeBinary(OperatorCall& call, OfIntegers ofIntegers, OfFloats ofFloats,
                        OfBytes ofBytes) {
    VNPU_TRY_ASSIGN(const Binary binary, settleBinary(call));
    if (call.input(0).type == TensorType::kInt32) {
        combine<std::int32_t>(call, binary.plan, kBinaryCost, ofIntegers);
    } else if (isAsymm8(call.input(0))) {
        ofBytes(call, binary);
    } else {
        const RealRange range = activationRange(binary.activation);
        combineFloats(call, binary.plan, kBinaryCost, [ofFloats, range](float a, float b) {
            return std::min(std::max(ofFloats(a, b), range.low), range.high);  // passes NaNs
        });
    }
    return JobStatus::kOk;
}

JobStatus addOperator(OperatorCall& call) {
    return computeBinary(call, wrappingAdd, std::plus<float>(),
                         [](auto&... operands) { addBytes(operands..., 1); });
}

JobStatus subOperator(OperatorCall& call) {
    return computeBinary(call, wrappingSubtract, std::minus<float>(),
                         [](auto&... operands) { addBytes(operands..., -1); });
}

JobStatus mulOperator(OperatorCall& call) {
    return computeBinary(call, wrappingMultiply, std::multiplies<float>(), multiplyBytes);
}

JobStatus divOperator(OperatorCall& call) {
    return computeBinary(call, floorDivide, std::divides<float>(), [](auto&...) {});
}

constexpr OperatorEntry kArithmeticEntries[] = {
        {Operator::kAdd, {"TTi", "T", kNumberTypes}, addOperator},
        {Operator::kSub, {"TTi", "T", kNumberTypes}, subOperator},
        {Operator::kMul, {"TTi", "T", kNumberTypes}, mulOperator},
        {Operator::kDiv, {"TTi", "T", kFloatTypes | kInt32Type}, divOperator}};

}  // namespace

std::span<const OperatorEntry> arithmeticOperators() {
    return kArithmeticEntries;
}

}  // namespace vnpu::hw::kernels
