// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

// Results that are larger than their operands: parts side by side, borders, and copies.

/// All parts in the given form.
Value concatenate(Emitter& emitter, const std::vector<Value>& parts, std::uint32_t axis,
                  const Form& form);
/// Parts of one shape and form in a new dimension `axis`.
Value stack(Emitter& emitter, const std::vector<Value>& parts, std::uint32_t axis);
/// `before` and `after` per dimension; filled with a real value (quantized forms too).
Value pad(Emitter& emitter, const Value& value, std::span<const std::int64_t> before,
          std::span<const std::int64_t> after, double fill);
Value tile(Emitter& emitter, const Value& value, std::span<const std::int64_t> multiples);
Value broadcastTo(Emitter& emitter, const Value& value, const Dims& dims);

}  // namespace vnpu::sim::graph
