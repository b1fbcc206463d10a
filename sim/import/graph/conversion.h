// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

// Conversions between forms. Each returns the value itself if it has the form already, and folds
// constants.

/// The same real values in another form: QUANTIZE, DEQUANTIZE, both (another scale), or CAST
/// between reals, integers and truths.
Value convert(Emitter& emitter, const Value& value, const Form& form);
/// The value as float32, also for constants with a scale per channel.
Value toReal(Emitter& emitter, const Value& value);
/// The stored numbers in another form, regardless of scale and zero point, as CAST of both file
/// formats does. A real number is truncated to an integer.
Value cast(Emitter& emitter, const Value& value, const Form& form);

/// `value` in a form that NNAPI's RESHAPE, TRANSPOSE, CONCATENATION, PAD and the like take: reals
/// and quantized values as they are, integers as reals, truths as 8-bit numbers.
Value toMovable(Emitter& emitter, const Value& value);
/// Back from toMovable().
Value fromMovable(Emitter& emitter, const Value& moved, const Form& form);

}  // namespace vnpu::sim::graph
