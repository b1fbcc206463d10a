// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

/// The graph with each filter that nodes share (copySharedFilters) in up to `parts` parts of its
/// output channels, multiples of `unit`: a copy in SRAM of each, and a node for each in place of
/// one, so that the SRAM may hold parts of a filter that does not fit as a whole. Nothing if no
/// filter can be divided.
std::optional<Graph> divideSharedFilters(const Graph& graph, std::uint32_t parts,
                                         std::uint32_t unit);

}  // namespace vnpu::driver
