// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

// Elements taken from the places that indices name.

/// Indices of any rank, constant or not; `batchDims` leading dimensions are common to both.
Value gather(Emitter& emitter, const Value& value, const Value& indices, std::uint32_t axis,
             std::uint32_t batchDims = 0);
/// The last dimension of `indices` names a place in the leading dimensions of `value`.
Value gatherNd(Emitter& emitter, const Value& value, const Value& indices);
Value reverse(Emitter& emitter, const Value& value, std::span<const std::uint32_t> axes);
/// `withBorder`: the border itself is repeated (SYMMETRIC), else it is not (REFLECT).
Value mirrorPad(Emitter& emitter, const Value& value, std::span<const std::int64_t> before,
                std::span<const std::int64_t> after, bool withBorder);

}  // namespace vnpu::sim::graph
