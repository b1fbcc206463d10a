// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/import/graph/elementwise_kinds.h"
#include "sim/import/graph/value.h"

namespace vnpu::sim::graph {

/// Whether a result of this size is computed during import if its operands are constants.
bool isFoldable(std::uint64_t elements);

/// The results of operations on constants, as constants of `form`.
Value foldedUnary(Unary op, const Value& value, const Form& form);
Value foldedBinary(Binary op, const Value& a, const Value& b, const Form& form, Clamp clamp);

}  // namespace vnpu::sim::graph
