// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/import/graph/elementwise_kinds.h"
#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

// Operators on real values, and on integers, by the operations that NNAPI has.

/// An operator on a real value: folded, one operation, or composed. Refuses an operator that has no
/// composition.
Value realUnary(Emitter& emitter, Unary op, const Value& x);
/// An operator that NNAPI lacks, on two integers or two reals.
Value composeBinary(Emitter& emitter, Binary op, const Value& a, const Value& b, bool areIntegers);

}  // namespace vnpu::sim::graph
