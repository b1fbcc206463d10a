// SPDX-License-Identifier: Apache-2.0
// EQUAL to GREATER_EQUAL, and the operators on truth values.
#include <functional>

#include "hw_model/kernels/operators/broadcast.h"
#include "hw_model/kernels/operators/elementwise/elementwise_operators.h"
#include "hw_model/kernels/operators/operator_checks.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kComparisonCost = 2;  // operations of an element

JobStatus prepareComparison(OperatorCall& call, TypeSet types, BroadcastPlan& plan) {
    VNPU_TRY(call.requireOperands(2, 2, 1, 2));
    VNPU_TRY(requireInput(call, 0, types));
    VNPU_TRY(requireInput(call, 1, typeSet({call.input(0).type})));
    VNPU_TRY(requireOutput(call, 0, kBoolType));
    VNPU_TRY(planBroadcast(call, 0, 1, plan));
    return call.settle(0, plan.dimensions);
}

template <typename T, typename Function>
void combine(OperatorCall& call, const BroadcastPlan& plan, const Function& function) {
    combineElements(plan, call.input(0).as<T>(), call.input(1).as<T>(), call.write<std::uint8_t>(0),
                    kComparisonCost, function);
}

/// Real values of a quantised operand in float, as NNAPI's reference compares them.
ByteTable<float> realValues(const Tensor& operand) {
    return tabulate<float>(operand, [&](std::int32_t difference) {
        return static_cast<float>(difference) * operand.scale;
    });
}

template <typename Predicate>
JobStatus compare(OperatorCall& call, const Predicate& holds) {
    BroadcastPlan plan;
    VNPU_TRY(prepareComparison(call, kFloatTypes | kInt32Type | kAsymm8Types | kBoolType, plan));
    switch (call.input(0).type) {
        case TensorType::kFloat32:
            combine<float>(call, plan, holds);
            break;
        case TensorType::kFloat16:
            combine<Eigen::half>(call, plan, holds);
            break;
        case TensorType::kInt32:
            combine<std::int32_t>(call, plan, holds);
            break;
        case TensorType::kBool8:
            combine<std::uint8_t>(call, plan, [&](std::uint8_t a, std::uint8_t b) {
                return holds(a != 0 ? 1 : 0, b != 0 ? 1 : 0);
            });
            break;
        default: {
            const ByteTable<float> first = realValues(call.input(0));
            const ByteTable<float> second = realValues(call.input(1));
            combine<std::uint8_t>(call, plan, [&](std::uint8_t a, std::uint8_t b) {
                return holds(first[a], second[b]);
            });
        }
    }
    return JobStatus::kOk;
}

}  // namespace

JobStatus equalOperator(OperatorCall& call) {
    return compare(call, std::equal_to<>());
}

JobStatus notEqualOperator(OperatorCall& call) {
    return compare(call, std::not_equal_to<>());
}

JobStatus lessOperator(OperatorCall& call) {
    return compare(call, std::less<>());
}

JobStatus lessEqualOperator(OperatorCall& call) {
    return compare(call, std::less_equal<>());
}

JobStatus greaterOperator(OperatorCall& call) {
    return compare(call, std::greater<>());
}

JobStatus greaterEqualOperator(OperatorCall& call) {
    return compare(call, std::greater_equal<>());
}

JobStatus logicalAndOperator(OperatorCall& call) {
    BroadcastPlan plan;
    VNPU_TRY(prepareComparison(call, kBoolType, plan));
    combine<std::uint8_t>(call, plan,
                          [](std::uint8_t a, std::uint8_t b) { return a != 0 && b != 0; });
    return JobStatus::kOk;
}

JobStatus logicalOrOperator(OperatorCall& call) {
    BroadcastPlan plan;
    VNPU_TRY(prepareComparison(call, kBoolType, plan));
    combine<std::uint8_t>(call, plan,
                          [](std::uint8_t a, std::uint8_t b) { return a != 0 || b != 0; });
    return JobStatus::kOk;
}

JobStatus logicalNotOperator(OperatorCall& call) {
    VNPU_TRY(call.requireOperands(1, 1, 1, 1));
    VNPU_TRY(requireInput(call, 0, kBoolType));
    VNPU_TRY(requireOutput(call, 0, kBoolType));
    const Tensor& input = call.input(0);
    VNPU_TRY(call.settle(0, input.dimensions));
    mapElements(input.as<std::uint8_t>(), call.write<std::uint8_t>(0), input.elements(),
                kComparisonCost, [](std::uint8_t value) { return value == 0; });
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels
