// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "driver/compiler/ir/graph.h"
#include "driver/compiler/plan/conv_plan.h"
#include "driver/compiler/plan/cost_model.h"
#include "driver/compiler/plan/workspace.h"

namespace vnpu::driver {

/// Tile sizes and buffers of a pool.
struct PoolPlan {
    std::uint32_t rows = 1, columns = 1, channels = 1;
    SlotSet input, output;
    std::uint64_t commands = 0;
    double cycles = 0;
};

std::optional<PoolPlan> planPool(const PoolNode& node, const CostModel& costs,
                                 const Workspace& workspace, const ResidentTensors& resident);

/// Block extents and buffers (one set per operand, then the table's) of a BlockNode.
struct BlockPlan {
    Shape4 block{1, 1, 1, 1};
    std::vector<SlotSet> operands;
    SlotSet table;
    std::uint64_t commands = 0;
    double cycles = 0;
};

/// `isResident` by operand.
std::optional<BlockPlan> planBlocks(const BlockNode& node, const Graph& graph,
                                    const CostModel& costs, const Workspace& workspace,
                                    const std::vector<bool>& isResident);

/// The command over one block, addresses by operand and table.
using VectorPayload = decltype(BlockNode::prototype);
VectorPayload fillBlock(const BlockNode& node, const Shape4& block,
                        const std::vector<std::uint32_t>& addresses, std::uint32_t table);

/// Elements of an operand that one block covers: the product of the extents that it depends on.
std::uint64_t operandElements(const BlockOperand& operand, const Shape4& block);

}  // namespace vnpu::driver
