// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

inline constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
inline constexpr std::size_t kSeveral = static_cast<std::size_t>(-2);

/// For each tensor the one node that reads or writes it, kNobody or kSeveral.
struct GraphUsers {
    std::vector<std::size_t> reader, writer;

    explicit GraphUsers(const Graph& graph);
};

/// All of them, in the order of the nodes.
struct GraphEdges {
    std::vector<std::vector<std::size_t>> readers, writers;  // nodes, by tensor
    std::vector<std::vector<TensorId>> inputs, outputs;      // by node

    explicit GraphEdges(const Graph& graph);
};

/// The nodes [first, end) from the first to the last user of a storage; none if `end` is 0.
struct StorageLife {
    std::size_t first = 0, end = 0;
};

/// By storage.
std::vector<StorageLife> livesOf(const Graph& graph);

/// Neither an input nor an output nor a constant of the model.
bool isIntermediate(const Graph& graph, TensorId tensor);

/// No other tensor lies in the storage of this one.
bool liesAlone(const Graph& graph, TensorId tensor);

/// Removes the nodes that are marked.
void dropNodes(Graph& graph, const std::vector<bool>& isDropped);

}  // namespace vnpu::driver
