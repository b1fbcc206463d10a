// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "driver/compiler/ir/graph.h"
#include "driver/compiler/ir/refusal.h"
#include "driver/compiler/plan/conv_planner.h"
#include "driver/compiler/plan/cost_model.h"
#include "driver/compiler/plan/node_plan.h"
#include "driver/compiler/plan/separation.h"

namespace vnpu::driver {

/// Plans of all nodes, and the intermediate tensors that stay in SRAM from the node that writes
/// them to the last that reads them instead of going through memory.
struct MemoryPlan {
    std::vector<NodePlan> nodes;
    std::vector<std::optional<std::uint32_t>> residentAt;  // by storage
    /// By node: what resident tensors leave free of the limits' SRAM.
    std::vector<std::vector<Span64>> freeAt;
};

/// The cheapest plan for a node within `workspace`; nothing if no tile fits.
std::optional<NodePlan> planNode(const Graph& graph, const Node& node, const CostModel& costs,
                                 ConvPlanner& convolutions, const Workspace& workspace,
                                 const std::vector<std::optional<std::uint32_t>>& residentAt);

/// The first `sramBytes` of the SRAM, for a node that runs alone.
Workspace emptySram(const DeviceInfo& device, std::uint64_t sramBytes, std::size_t nodeIndex);

/// A range of SRAM that is taken from the first node to the last, by a storage that lies there.
struct TakenRange {
    StorageId storage = kNoStorage;
    std::uint32_t address = 0;
    std::uint64_t sizeBytes = 0;
};

/// The SRAM for the nodes of some operations.
struct SramLimits {
    /// For tiles and resident tensors, from address 0 on; at most the device's.
    std::uint64_t sramBytes = 0;
    /// A tensor of more than sramBytes / keptShare does not become resident. 0: any tensor may, and
    /// nodes are not cut into stripes (cascade.h).
    std::uint64_t keptShare = 0;
    /// Stripes may be serial where that costs less (StripeForm), and lower.
    bool allowsSerialStripes = false;
    /// Stripes of a convolution with a large filter and of its pools make some output channels at a
    /// time (StripeForm).
    bool dividesChannels = false;
    std::uint32_t firstOperation = 0;  // up to that of the next limits

    std::uint64_t largestResident() const {
        return keptShare == 0 ? sramBytes : sramBytes / keptShare;
    }
    bool operator==(const SramLimits&) const = default;
};

/// What a plan may use.
struct PlanLimits {
    std::vector<SramLimits> sram;  // by rising operation, the first from operation 0 on
    /// All intermediate tensors become resident, at whatever cost; kExhausted if they do not fit.
    bool keepsAll = false;
    bool spreadsOverBanks = true;     // buffers begin in banks of their own where there is room
    SeparationRules separation = {};  // of the buffers of neighboring nodes (placeBuffers)
    std::uint64_t aheadBytes = 0;     // Workspace::aheadBytes, once residents are chosen

    const SramLimits& sramOf(const Node& node) const;
    bool operator==(const PlanLimits&) const = default;
};

/// Plans a graph. Tensors become resident, the largest saving of memory traffic first, unless the
/// nodes that share the SRAM with them lose more cycles than are saved; they keep to the limits of
/// all of these nodes. kExhausted if no tile of a node fits the limits' SRAM.
Checked<MemoryPlan> planMemory(const Graph& graph, const CostModel& costs,
                               ConvPlanner& convolutions, const PlanLimits& limits,
                               std::span<const TakenRange> taken = {});

/// Moves the buffers of a graph's plan that was made within `limits` as limits.separation says, in
/// all of the device's SRAM.
void placeBuffers(const Graph& graph, const DeviceInfo& device, const PlanLimits& limits,
                  MemoryPlan& plan);

/// Where the highest buffer or resident tensor ends.
std::uint64_t sramBytesUsed(const Graph& graph, const MemoryPlan& plan);

/// The reason, with numbers, why no tile of a node fits.
std::string describeMisfit(const Graph& graph, const Node& node, const DeviceInfo& device);

}  // namespace vnpu::driver
