// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>

#include "driver/compiler/plan/conv_plan.h"
#include "driver/compiler/plan/vector_plan.h"
#include "driver/compiler/plan/workspace.h"

namespace vnpu::driver {

/// The plan of one node, shared by all that hold it, because nodes that are alike get the same one.
/// Nodes that copy or fill need no buffers.
struct NodePlan {
    std::variant<std::monostate, std::shared_ptr<const ConvPlan>, std::shared_ptr<const PoolPlan>,
                 std::shared_ptr<const BlockPlan>>
            plan;
    std::uint64_t commands = 0;
    double cycles = 0;
};

/// The plan of a node of the kind that `Plan` is for.
template <typename Plan>
const Plan& planAs(const NodePlan& node) {
    return *std::get<std::shared_ptr<const Plan>>(node.plan);
}

/// Neighboring nodes take their buffers from opposite sides (Workspace::side).
constexpr Side sideOf(std::size_t nodeIndex) {
    return nodeIndex % 2 == 0 ? Side::kLow : Side::kHigh;
}

}  // namespace vnpu::driver
