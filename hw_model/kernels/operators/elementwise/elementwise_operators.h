// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernels of two operands that are broadcast to each other, by file.

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

// arithmetic_operators.cpp
JobStatus addOperator(OperatorCall& call);
JobStatus subOperator(OperatorCall& call);
JobStatus mulOperator(OperatorCall& call);
JobStatus divOperator(OperatorCall& call);

// comparison_operators.cpp
JobStatus equalOperator(OperatorCall& call);
JobStatus notEqualOperator(OperatorCall& call);
JobStatus lessOperator(OperatorCall& call);
JobStatus lessEqualOperator(OperatorCall& call);
JobStatus greaterOperator(OperatorCall& call);
JobStatus greaterEqualOperator(OperatorCall& call);
JobStatus logicalAndOperator(OperatorCall& call);
JobStatus logicalOrOperator(OperatorCall& call);
JobStatus logicalNotOperator(OperatorCall& call);

// selection_operators.cpp
JobStatus maximumOperator(OperatorCall& call);
JobStatus minimumOperator(OperatorCall& call);
JobStatus powOperator(OperatorCall& call);
JobStatus preluOperator(OperatorCall& call);
JobStatus selectOperator(OperatorCall& call);

}  // namespace vnpu::hw::kernels
