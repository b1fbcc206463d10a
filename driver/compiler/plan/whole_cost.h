// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/ir/graph.h"
#include "driver/compiler/plan/cost_model.h"

namespace vnpu::driver {

/// The driver's estimate for an operator on the DSP, from the shapes that the model declares; open
/// dimensions count with the capacity of their tensor.
CommandCost wholeCost(const CostModel& costs, const Graph& graph, const OperatorNode& node);

}  // namespace vnpu::driver
