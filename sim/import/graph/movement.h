// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

// Elements change places. All functions take every form and rank, keep the form, and fold
// constants.

/// At most one dimension may be -1.
Dims resolveShape(const Dims& from, std::span<const std::int64_t> shape);
Value reshape(Emitter& emitter, const Value& value, const Dims& dims);
Value transpose(Emitter& emitter, const Value& value, std::span<const std::uint32_t> order);
/// Elements begin, begin + step ... (count of them) of each dimension; steps may be negative.
struct SliceSpec {
    std::vector<std::int64_t> begin, step;
    Dims count;
};
Value slice(Emitter& emitter, const Value& value, const SliceSpec& spec);
/// `count` elements of one dimension from `begin` on.
Value sliceAxis(Emitter& emitter, const Value& value, std::uint32_t axis, std::uint32_t begin,
                std::uint32_t count);
/// All parts in the given form.
Value concatenate(Emitter& emitter, const std::vector<Value>& parts, std::uint32_t axis,
                  const Form& form);
/// `before` and `after` per dimension; filled with a real value (quantized forms too).
Value pad(Emitter& emitter, const Value& value, std::span<const std::int64_t> before,
          std::span<const std::int64_t> after, double fill);
/// `withBorder`: the border itself is repeated (SYMMETRIC), else it is not (REFLECT).
Value mirrorPad(Emitter& emitter, const Value& value, std::span<const std::int64_t> before,
                std::span<const std::int64_t> after, bool withBorder);
Value tile(Emitter& emitter, const Value& value, std::span<const std::int64_t> multiples);
Value broadcastTo(Emitter& emitter, const Value& value, const Dims& dims);
/// Indices of any rank, constant or not; `batchDims` leading dimensions are common to both.
Value gather(Emitter& emitter, const Value& value, const Value& indices, std::uint32_t axis,
             std::uint32_t batchDims = 0);
Value gatherNd(Emitter& emitter, const Value& value, const Value& indices);
Value reverse(Emitter& emitter, const Value& value, std::span<const std::uint32_t> axes);

}  // namespace vnpu::sim::graph
