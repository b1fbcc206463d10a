// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "sim/import/graph/window.h"

namespace vnpu::sim::graph {

enum class Pool { kAverage, kMax, kL2 };
/// `size` is the height and width of the window, which may not be dilated.
Value pool2d(Emitter& emitter, Pool op, const Value& input, std::array<std::int64_t, 2> size,
             const Window& window, Clamp clamp, const Form& form);

}  // namespace vnpu::sim::graph
