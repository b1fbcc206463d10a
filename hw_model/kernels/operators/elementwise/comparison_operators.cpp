// SPDX-License-Identifier: Apache-2.0
// EQUAL to GREATER_EQUAL, and the operators on truth values.
#include <functional>
#include <utility>

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
void combine(const BroadcastPlan& plan, const Tensor& a, const Tensor& b, OperatorCall& call,
             const Function& function) {
    combineElements(plan, a.as<T>(), b.as<T>(), call.write<std::uint8_t>(0), kComparisonCost,
                    makeLoop<Computed<T>, std::uint8_t>(function));
}

/// Real values of a quantized operand in float, as NNAPI's reference compares them.
ByteTable<float> realValues(const Tensor& operand) {
    return tabulate<float>(operand, [&](std::int32_t difference) {
        return static_cast<float>(difference) * operand.scale;
    });
}

/// Whether `holds` of the operands, or of the second and the first if `isSwapped`: a > b is b < a.
template <typename Predicate>
JobStatus compare(OperatorCall& call, const Predicate& holds, bool isSwapped = false) {
    BroadcastPlan plan;
    VNPU_TRY(prepareComparison(call, kFloatTypes | kInt32Type | kAsymm8Types | kBoolType, plan));
    const Tensor& first = call.input(isSwapped ? 1 : 0);
    const Tensor& second = call.input(isSwapped ? 0 : 1);
    if (isSwapped) {
        for (BroadcastPlan::Axis& axis : plan.axes) {
            std::swap(axis.strides[0], axis.strides[1]);
        }
    }
    switch (call.input(0).type) {
        case TensorType::kFloat32:
            combine<float>(plan, first, second, call, holds);
            break;
        case TensorType::kFloat16:
            combine<Eigen::half>(plan, first, second, call, holds);
            break;
        case TensorType::kInt32:
            combine<std::int32_t>(plan, first, second, call, holds);
            break;
        case TensorType::kBool8:
            combine<std::uint8_t>(plan, first, second, call,
                                  [holds](std::uint8_t a, std::uint8_t b) {
                                      return holds(a != 0 ? 1 : 0, b != 0 ? 1 : 0);
                                  });
            break;
        default: {
            const ByteTable<float> ofFirst = realValues(first);
            const ByteTable<float> ofSecond = realValues(second);
            combine<std::uint8_t>(plan, first, second, call, [&](std::uint8_t a, std::uint8_t b) {
                return holds(ofFirst[a], ofSecond[b]);
            });
        }
    }
    return JobStatus::kOk;
}

JobStatus combineTruths(OperatorCall& call, bool isAnd) {
    BroadcastPlan plan;
    VNPU_TRY(prepareComparison(call, kBoolType, plan));
    combine<std::uint8_t>(plan, call.input(0), call.input(1), call,
                          [isAnd](std::uint8_t a, std::uint8_t b) {
                              return isAnd ? a != 0 && b != 0 : a != 0 || b != 0;
                          });
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
    return compare(call, std::less<>(), true);
}

JobStatus greaterEqualOperator(OperatorCall& call) {
    return compare(call, std::less_equal<>(), true);
}

JobStatus logicalAndOperator(OperatorCall& call) {
    return combineTruths(call, true);
}

JobStatus logicalOrOperator(OperatorCall& call) {
    return combineTruths(call, false);
}

JobStatus logicalNotOperator(OperatorCall& call) {
    VNPU_TRY(call.requireOperands(1, 1, 1, 1));
    VNPU_TRY(requireInput(call, 0, kBoolType));
    VNPU_TRY(requireOutput(call, 0, kBoolType));
    const Tensor& input = call.input(0);
    VNPU_TRY(call.settle(0, input.dimensions));
    const auto isFalse = [](std::uint8_t value) { return value == 0; };
    mapElements(input.as<std::uint8_t>(), call.write<std::uint8_t>(0), input.elements(),
                kComparisonCost, makeLoop<std::uint8_t, std::uint8_t>(isFalse));
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels
