// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// Runs an operator to its end. Trusts the operands' memory (dimensions times element size bytes at
/// `data`), and nothing else: operands that do not fit the operator's signature, and values and
/// dimensions that make no sense, are refused with kBadOperand. kBadOpcode where there is no
/// kernel. Results depend neither on the processor nor on the number of threads.
JobStatus runOperator(Operator op, OperatorCall& call);

}  // namespace vnpu::hw::kernels
