// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "driver/compiler/ir/graph.h"
#include "driver/compiler/plan/conv_planner.h"
#include "driver/compiler/plan/cost_model.h"

namespace vnpu::driver {

/// The graph with groups of nodes cut into stripes (stripes.h), so that what one makes for another
/// stays in SRAM though the whole would not fit, and what several read is loaded once. A group is a
/// tensor's maker with its readers, or the readers of one tensor, and grows along its edges as long
/// as the estimate says that this saves. Nothing if there is no such group, or with control flow.
/// The graph must not be flattened yet (flattenPointwise).
std::optional<Graph> cascade(const Graph& graph, const CostModel& costs, ConvPlanner& convolutions);

}  // namespace vnpu::driver
