// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "driver/compiler/ir/graph.h"
#include "driver/compiler/rewrite/stripe_plan.h"

namespace vnpu::driver {

/// Whether a node treats each of `images` dense NHWC images of its inputs alike and by itself: a
/// convolution, a pool, or a sum or product of two tensors.
bool worksOnImages(const Graph& graph, const Node& node, std::uint32_t images);

/// Whether a node works on rows of one NHWC image that depend on few rows of its inputs, so that it
/// can be cut: a convolution, a pool, or a sum or product of two dense images.
bool isCuttable(const Graph& graph, const Node& node);

/// Rows of the smallest output of the region that other nodes read; 0 if it cannot be cut.
std::uint32_t stripedRows(const Graph& graph, std::span<const std::size_t> region);

/// Nodes that do the work of those of `region` (indices into the graph, ascending), stripe by
/// stripe: some rows of its narrowest output at a time, and all rows before that these need.
/// Tensors that only the region uses become one piece of a few rows per stripe, small enough to
/// stay in SRAM; rows that two stripes need are kept, not computed twice. Tensors that several
/// nodes of the region read, and filters, become copies that the memory planner may keep in SRAM
/// (StorageKind::kSramCopy). Adds tensors and storages to the graph, but not the nodes. Nothing if
/// the region cannot be cut.
std::optional<std::vector<Node>> cutIntoStripes(Graph& graph, std::span<const std::size_t> region,
                                                const StripeForm& form);

}  // namespace vnpu::driver
