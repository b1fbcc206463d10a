// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driver/compiler/ir/graph.h"
#include "driver/compiler/ir/range_allocator.h"
#include "driver/compiler/plan/node_plan.h"
#include "driver/compiler/plan/workspace.h"

namespace vnpu::driver {

/// The bytes of all buffers of a node.
std::vector<Span64> buffersOf(const NodePlan& node);

/// The SRAM of a graph whose resident tensors have their places.
struct SramAround {
    std::span<const std::vector<Span64>> freeAt;  // by node: what resident tensors leave free
    std::uint64_t bytes = 0;                      // of all
    std::uint64_t bankBytes = 0;                  // as in Workspace
};

/// How the buffers of neighboring nodes are kept apart.
struct SeparationRules {
    std::size_t nodesApart = 0;  // nodes before a node whose SRAM its buffers keep apart from
    /// Where buffers are spread over banks and there is no bank of its own for one, it goes to
    /// banks that neither its node nor the node before uses: what one computes and the other loads
    /// at the same time shares no bank's port.
    bool avoidsBusyBanks = false;
    bool fromOneEnd = false;  // the SRAM is filled from its low end, else from both ends in turn

    bool operator==(const SeparationRules&) const = default;
};

/// Moves each buffer of a node to SRAM that the nodes before it did not use, neither for buffers
/// nor for resident tensors, so that loads run ahead while they compute: `nodesApart` nodes, or as
/// many of these as there is room for. A stripe (Node::isStripe) keeps apart from at least all
/// nodes since the stripe before it of the same operation. Where there is no room for that, and in
/// nodes that load nothing, streams with several buffers have the places of that stripe. Tiles and
/// slots stay the same.
void separateBuffers(const Graph& graph, const SramAround& sram, const SeparationRules& rules,
                     std::vector<NodePlan>& nodes);

}  // namespace vnpu::driver
