// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/import/graph/elementwise_kinds.h"
#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

/// Operands of any form that fits; the result in `form`, which for comparisons is kTruth.
Value unary(Emitter& emitter, Unary op, const Value& value, const Form& form);
Value binary(Emitter& emitter, Binary op, const Value& a, const Value& b, const Form& form,
             Clamp clamp = Clamp::kNone);
/// Applies a fused activation that the operation itself could not.
Value clamp(Emitter& emitter, const Value& value, Clamp clamp);
/// Limits the values to the range `least` to `most`.
Value clipTo(Emitter& emitter, const Value& value, double least, double most, const Form& form);
Value prelu(Emitter& emitter, const Value& value, const Value& alpha, const Form& form);
/// `ifTrue` where the condition holds, else `ifFalse`. All three broadcast.
Value select(Emitter& emitter, const Value& condition, const Value& ifTrue, const Value& ifFalse,
             const Form& form);

}  // namespace vnpu::sim::graph
