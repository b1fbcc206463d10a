// SPDX-License-Identifier: Apache-2.0
// EQUAL to GREATER_EQUAL, and the operators on truth values.
#include <functional>

#include "hw_model/kernels/operators/broadcast.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kComparisonCost = 2;  // operations of an element

/// Real values of a quantized operand as floats, as in NNAPI's reference.
ByteTable<float> realValues(const Tensor& operand) {
    return tabulate<float>(operand, [&](std::int32_t difference) {
        return static_cast<float>(difference) * operand.scale;
    });
}

template <typename Predicate>
JobStatus compare(OperatorCall& call, const Predicate& holds) {
    VNPU_TRY_ASSIGN(const BroadcastPlan plan, settleBroadcast(call));
    const auto combineAs = [&](auto element, const auto& function) {
        combine<decltype(element), std::uint8_t>(call, plan, kComparisonCost, function);
    };
    if (call.input(0).type == TensorType::kBool8) {
        combineAs(std::uint8_t{}, [holds](std::uint8_t a, std::uint8_t b) {
            return holds(a != 0 ? 1 : 0, b != 0 ? 1 : 0);
        });
    } else if (isAsymm8(call.input(0))) {
        const ByteTable<float> first = realValues(call.input(0));
        const ByteTable<float> second = realValues(call.input(1));
        combineAs(std::uint8_t{},
                  [&](std::uint8_t a, std::uint8_t b) { return holds(first[a], second[b]); });
    } else {
        withElement<kFloatTypes | kInt32Type>(call.input(0).type,
                                              [&](auto element) { combineAs(element, holds); });
    }
    return JobStatus::kOk;
}

template <typename Predicate>
JobStatus combineTruths(OperatorCall& call, const Predicate& predicate) {
    VNPU_TRY_ASSIGN(const BroadcastPlan plan, settleBroadcast(call));
    combine<std::uint8_t>(call, plan, kComparisonCost, [predicate](std::uint8_t a, std::uint8_t b) {
        return predicate(a != 0, b != 0);
    });
    return JobStatus::kOk;
}

JobStatus logicalNotOperator(OperatorCall& call) {
    VNPU_TRY(call.settle(0, call.input(0).dimensions));
    map<std::uint8_t>(call, kComparisonCost, [](std::uint8_t value) { return value == 0; });
    return JobStatus::kOk;
}

constexpr Signature kComparison = {"TT", "k", kNumberTypes | kBoolType};

constexpr OperatorEntry kComparisonEntries[] = {
        {Operator::kEqual, kComparison,
         [](OperatorCall& call) { return compare(call, std::equal_to<>()); }},
        {Operator::kNotEqual, kComparison,
         [](OperatorCall& call) { return compare(call, std::not_equal_to<>()); }},
        {Operator::kLess, kComparison,
         [](OperatorCall& call) { return compare(call, std::less<>()); }},
        {Operator::kLessEqual, kComparison,
         [](OperatorCall& call) { return compare(call, std::less_equal<>()); }},
        {Operator::kGreater, kComparison,
         [](OperatorCall& call) { return compare(call, std::greater<>()); }},
        {Operator::kGreaterEqual, kComparison,
         [](OperatorCall& call) { return compare(call, std::greater_equal<>()); }},
        {Operator::kLogicalAnd,
         {"TT", "T", kBoolType},
         [](OperatorCall& call) { return combineTruths(call, std::logical_and<>()); }},
        {Operator::kLogicalOr,
         {"TT", "T", kBoolType},
         [](OperatorCall& call) { return combineTruths(call, std::logical_or<>()); }},
        {Operator::kLogicalNot, {"T", "T", kBoolType}, logicalNotOperator}};

}  // namespace

std::span<const OperatorEntry> comparisonOperators() {
    return kComparisonEntries;
}

}  // namespace vnpu::hw::kernels
