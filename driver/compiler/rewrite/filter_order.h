// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

/// The graph with its nodes in an order that takes each shared filter in as short a time as the
/// graph allows: a stack of recurrent layers, which a model lists step by step, runs layer by
/// layer, so that the SRAM holds the filters of one layer at a time. Nothing if the nodes stay
/// where they are, or if too many pairs of nodes depend on each other. For graphs that
/// copySharedFilters() has prepared. Takes less than a second.
std::optional<Graph> orderByFilters(const Graph& graph);

}  // namespace vnpu::driver
