// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

enum class Reduction { kMean, kSum, kProd, kMax, kMin, kAll, kAny, kL2 };

/// Over `axes`, which may be empty (nothing is reduced) and are counted from the front.
Value reduce(Emitter& emitter, Reduction op, const Value& value,
             std::span<const std::uint32_t> axes, bool keepDims, const Form& form);
/// The index of the greatest or the least element along the axis, the first of equal ones.
Value argExtreme(Emitter& emitter, const Value& value, std::uint32_t axis, bool isMax,
                 bool keepDims = false);
/// The k greatest along the last axis: values and indices.
std::vector<Value> topK(Emitter& emitter, const Value& value, std::uint32_t k);
/// Running sum along the axis.
Value cumulativeSum(Emitter& emitter, const Value& value, std::uint32_t axis, bool isExclusive,
                    bool isReversed, const Form& form);

}  // namespace vnpu::sim::graph
