// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "driver/compiler/generation.h"
#include "driver/compiler/ir/graph.h"
#include "driver/compiler/plan/memory_planner.h"

namespace vnpu::driver {

/// What is known of a plan of a model: when each operation has ended, and where another plan could
/// take over.
struct TriedPlan {
    SramLimits limits;  // of all operations
    double cost = 0;    // OrderedStream::cost
    double totalCycles = 0;
    /// By operation: when the engines have computed it and all operations before it.
    std::vector<double> endCycles;
    /// By operation: no node of it or of one before stands behind a node of a later operation.
    std::vector<bool> isBorder;
};

/// `graph`: as it was planned; `stream`: its commands.
TriedPlan describePlan(const Graph& graph, const OrderedStream& stream, const SramLimits& limits);

/// For each operation the limits of the plan that is fastest there, so that all operations together
/// take the least time, where each change from one plan to another costs `changeCycles` and lies at
/// a border of both. One element: nothing is gained by a change. The plans, at least one, are of
/// the same model.
std::vector<SramLimits> mixLimits(std::span<const TriedPlan> plans, double changeCycles);

}  // namespace vnpu::driver
