// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "driver/compiler/ir/graph.h"
#include "driver/compiler/ir/graph_users.h"

namespace vnpu::driver {

/// An order of a graph's nodes in which groups can be brought together, as far as their reads and
/// writes allow. Keeps both arguments by reference.
class NodeOrder {
  public:
    NodeOrder(const Graph& graph, const GraphEdges& edges);

    /// Indices into the graph.
    const std::vector<std::size_t>& nodes() const { return order_; }
    /// The index into nodes() where the complete group (ascending nodes) can stand: the index of
    /// its first node, else that of its last one; nothing if neither is possible.
    std::optional<std::size_t> placeOf(std::span<const std::size_t> group) const;
    /// Brings the group to its place, which it must have.
    void gather(std::span<const std::size_t> group);

  private:
    bool mayPass(std::size_t earlier, std::size_t later) const;
    bool touches(const std::vector<TensorId>& a, const std::vector<TensorId>& b) const;
    bool writeTheSame(std::size_t a, std::size_t b) const;

    const Graph& graph_;
    const GraphEdges& edges_;
    std::vector<std::size_t> order_;
};

}  // namespace vnpu::driver
