// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

// Elements change places. All functions here and in joining.h and gathering.h take every form and
// rank, keep the form, and fold constants.

/// `shape` with its sizes checked against the number of elements; at most one of them may be -1.
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
/// The part at one place of a dimension, without that dimension.
Value partAt(Emitter& emitter, const Value& value, std::uint32_t axis, std::uint32_t place);

/// The number of elements in dimensions `first` to `end` - 1.
std::uint32_t elementsIn(const Dims& dims, std::size_t first, std::size_t end);
/// A shape seen as three dimensions: those before an axis, the axis, and those behind it.
Dims aroundAxis(const Dims& dims, std::size_t axis);

/// Applies `move` to the value in a form that NNAPI moves.
template <typename Move>
Value moveAs(Emitter& emitter, const Value& value, const Move& move) {
    return fromMovable(emitter, move(toMovable(emitter, value)), value.form);
}

}  // namespace vnpu::sim::graph
