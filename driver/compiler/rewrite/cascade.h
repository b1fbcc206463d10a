// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "driver/compiler/ir/graph.h"
#include "driver/compiler/plan/conv_planner.h"
#include "driver/compiler/plan/cost_model.h"
#include "driver/compiler/plan/memory_planner.h"

namespace vnpu::driver {

/// Cycles of a flattened graph and its plan by the schedule of its commands; nothing if it cannot
/// be emitted.
using MeasurePlan = std::function<std::optional<double>(Graph graph, MemoryPlan plan)>;

/// The graph with groups of nodes cut into stripes (stripes.h), so that tensors within a group stay
/// in SRAM although they do not fit as a whole, and tensors that several nodes read are loaded
/// once. A group is a tensor's producer with its readers, or the readers of one tensor, and grows
/// along its edges as long as the estimate improves. Nothing if there is no such group, or with
/// control flow. The graph must not be flattened yet (flattenPointwise).
/// A tensor that the first plan keeps whole is not cut: SramLimits::keptShare says up to which size
/// it keeps them. A group lies within operations of the same limits.
/// Where all limits divide channels, nothing if there is no convolution whose channels can be
/// divided. `measure` chooses among the best estimates of such stripes.
std::optional<Graph> cascade(const Graph& graph, const CostModel& costs, ConvPlanner& convolutions,
                             const PlanLimits& limits, const MeasurePlan& measure);

}  // namespace vnpu::driver
