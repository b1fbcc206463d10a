// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

/// Output channels of the convolution that leads `region` (indices into the graph, ascending) if
/// all other nodes of it are pools of its results or of each other's, so that the region can make
/// some channels after others; 0 otherwise.
std::uint32_t divisibleChannels(const Graph& graph, std::span<const std::size_t> region);

/// Nodes that do the work of those of `region` for `channels` output channels at a time, the last
/// ones for the rest: one list for each part. Results that the region alone uses get a tensor for
/// each part, all others are written in place. Adds tensors and storages to the graph, but not the
/// nodes. divisibleChannels() must exceed `channels`, and that 0.
std::vector<std::vector<Node>> divideChannels(Graph& graph, std::span<const std::size_t> region,
                                              std::uint32_t channels);

}  // namespace vnpu::driver
