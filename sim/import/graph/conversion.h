// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

// Between forms. Each returns the value itself where nothing is to be done, and folds constants.

/// The same real values in another form: QUANTIZE, DEQUANTIZE, both (another scale), or CAST
/// between reals, integers and truths.
Value convert(Emitter& emitter, const Value& value, const Form& form);
/// As real values. Per-channel constants too.
Value toReal(Emitter& emitter, const Value& value);
/// The stored numbers, quantized ones without their scale, as CAST of both formats does. From real
/// to integer truncates.
Value cast(Emitter& emitter, const Value& value, const Form& form);

/// `value` in a form that NNAPI's RESHAPE, TRANSPOSE, CONCATENATION, PAD and the like take: reals
/// and quantized values as they are, integers as reals, truths as 8-bit numbers.
Value toMovable(Emitter& emitter, const Value& value);
/// Back from toMovable().
Value fromMovable(Emitter& emitter, const Value& moved, const Form& form);

}  // namespace vnpu::sim::graph
