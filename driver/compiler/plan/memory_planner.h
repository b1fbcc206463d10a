// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "driver/compiler/ir/graph.h"
#include "driver/compiler/ir/refusal.h"
#include "driver/compiler/plan/conv_planner.h"
#include "driver/compiler/plan/cost_model.h"
#include "driver/compiler/plan/vector_plan.h"

namespace vnpu::driver {

/// The plan of one node. Copies and fills need no buffers.
struct NodePlan {
    std::variant<std::monostate, ConvPlan, PoolPlan, BlockPlan> plan;
    std::uint64_t commands = 0;
    double cycles = 0;
};

/// Plans of all nodes, and the intermediate tensors that stay in SRAM from the node that writes
/// them to the last that reads them instead of going through memory.
struct MemoryPlan {
    std::vector<NodePlan> nodes;
    std::vector<std::optional<std::uint32_t>> residentAt;  // by storage
    std::uint64_t sramBytesUsed = 0;
};

/// The cheapest plan for a node within `workspace`; nothing if no tile fits.
std::optional<NodePlan> planNode(const Graph& graph, const Node& node, const CostModel& costs,
                                 ConvPlanner& convolutions, const Workspace& workspace,
                                 const std::vector<std::optional<std::uint32_t>>& residentAt);

/// The whole SRAM, for a node that runs alone.
Workspace wholeSram(const DeviceInfo& device, std::size_t nodeIndex);

/// A range of SRAM that is taken from the first node to the last, by a storage that lies there.
struct TakenRange {
    StorageId storage = kNoStorage;
    std::uint32_t address = 0;
    std::uint64_t sizeBytes = 0;
};

/// Plans a graph. Tensors become resident, the largest saving of memory traffic first, unless the
/// nodes that share the SRAM with them lose more cycles than are saved. kExhausted if no tile of a
/// node fits the SRAM.
Checked<MemoryPlan> planMemory(const Graph& graph, const CostModel& costs,
                               ConvPlanner& convolutions, std::span<const TakenRange> taken = {});

/// The reason, with numbers, why no tile of a node fits.
std::string describeMisfit(const Graph& graph, const Node& node, const DeviceInfo& device);

}  // namespace vnpu::driver
