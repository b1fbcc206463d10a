// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// Runs an operator to its end. Trusts only the operands' memory (dimensions times element size
/// bytes at `data`). Operands that do not match the operator's signature, and invalid values and
/// dimensions, are refused with kBadOperand; kBadOpcode if there is no kernel. Results depend
/// neither on the processor nor on the number of threads.
JobStatus runOperator(Operator op, OperatorCall& call);

}  // namespace vnpu::hw::kernels
