// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "sim/import/graph/elementwise_kinds.h"
#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

/// Geometry of a window over height and width of an image batch x height x width x channels.
struct Window {
    enum class Padding { kSame, kValid, kExplicit } padding = Padding::kValid;
    std::array<std::int64_t, 2> stride = {1, 1};  // height, width
    std::array<std::int64_t, 2> dilation = {1, 1};
    std::array<std::int64_t, 2> before = {0, 0}, after = {0, 0};  // kExplicit
};

/// The extent of the output in one dimension; refuses windows that do not fit.
std::uint32_t windowOutput(std::uint32_t input, std::int64_t size, const Window& window,
                           std::size_t dimension);

// What convolutions, pools and the operations on images have in common.

/// Refuses an image that does not have four dimensions, or no elements.
void requireImage(const Value& value, const char* what);
/// Refuses numbers below 1.
void requireSteps(std::initializer_list<std::int64_t> values, const char* what);
void requireWindow(const Window& window);

/// Adds NNAPI's padding scheme, or the four numbers left, right, top, bottom; then the strides.
void addPaddingAndStrides(Emitter& emitter, const Window& window, std::vector<Index>& inputs);
/// The activation as far as NNAPI can fuse it.
Index fuseOperand(Emitter& emitter, Clamp fused);
/// The result after an activation that was not fused, in its form.
Value finishWindow(Emitter& emitter, const Value& result, Clamp fused, const Form& form);

}  // namespace vnpu::sim::graph
