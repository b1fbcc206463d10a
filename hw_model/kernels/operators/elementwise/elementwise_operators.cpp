// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/elementwise/elementwise_operators.h"

#include "hw_model/kernels/operators/operator_table.h"

namespace vnpu::hw::kernels {

std::span<const OperatorEntry> elementwiseOperators() {
    static constexpr OperatorEntry kEntries[] = {
            {Operator::kAdd, addOperator},
            {Operator::kSub, subOperator},
            {Operator::kMul, mulOperator},
            {Operator::kDiv, divOperator},
            {Operator::kEqual, equalOperator},
            {Operator::kNotEqual, notEqualOperator},
            {Operator::kLess, lessOperator},
            {Operator::kLessEqual, lessEqualOperator},
            {Operator::kGreater, greaterOperator},
            {Operator::kGreaterEqual, greaterEqualOperator},
            {Operator::kLogicalAnd, logicalAndOperator},
            {Operator::kLogicalOr, logicalOrOperator},
            {Operator::kLogicalNot, logicalNotOperator},
            {Operator::kMaximum, maximumOperator},
            {Operator::kMinimum, minimumOperator},
            {Operator::kPow, powOperator},
            {Operator::kPrelu, preluOperator},
            {Operator::kSelect, selectOperator},
    };
    return kEntries;
}

}  // namespace vnpu::hw::kernels
