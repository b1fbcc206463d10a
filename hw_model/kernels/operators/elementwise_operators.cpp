// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/elementwise_operators.h"

#include "hw_model/kernels/operators/operator_table.h"

namespace vnpu::hw::kernels {

std::span<const OperatorEntry> elementwiseOperators() {
    static constexpr OperatorEntry kEntries[] = {
            {Operator::kAdd, addOperator},
            {Operator::kSub, subOperator},
            {Operator::kMul, mulOperator},
            {Operator::kDiv, divOperator},
    };
    return kEntries;
}

}  // namespace vnpu::hw::kernels
