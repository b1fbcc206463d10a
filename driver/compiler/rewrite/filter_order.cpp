// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/filter_order.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "driver/compiler/ir/graph_users.h"
#include "driver/compiler/rewrite/stripes.h"

namespace vnpu::driver {
namespace {

/// Whether a node may write a part of a storage, beside others that write other parts.
bool writesPart(const Graph& graph, const Node& node) {
    const auto* copy = std::get_if<CopyNode>(&node.work);
    return copy != nullptr ? copy->isPart : worksOnImages(graph, node, 1);
}

/// By node, the later nodes that must not come before it.
std::vector<std::vector<std::size_t>> successorsOf(const Graph& graph) {
    const GraphEdges edges(graph);
    std::vector<std::vector<std::size_t>> successors(graph.nodes.size());
    std::vector<std::vector<std::size_t>> readers(graph.storages.size());
    std::vector<std::vector<std::size_t>> writers(graph.storages.size());
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const bool isPart = writesPart(graph, graph.nodes[n]);
        for (const TensorId input : edges.inputs[n]) {
            const StorageId storage = graph.tensors[input].storage;
            for (const std::size_t writer : writers[storage]) {
                successors[writer].push_back(n);
            }
            readers[storage].push_back(n);
        }
        for (const TensorId output : edges.outputs[n]) {
            const StorageId storage = graph.tensors[output].storage;
            for (const std::size_t writer : writers[storage]) {
                if (!isPart || !writesPart(graph, graph.nodes[writer])) {
                    successors[writer].push_back(n);
                }
            }
            for (const std::size_t reader : readers[storage]) {
                if (reader != n) {
                    successors[reader].push_back(n);
                }
            }
            writers[storage].push_back(n);
        }
    }
    return successors;
}

constexpr std::size_t kNoTurn = std::numeric_limits<std::size_t>::max();

/// By node, the first user of a shared filter that the node or one behind it takes; the least of
/// them.
std::vector<std::size_t> turnsOf(const Graph& graph,
                                 const std::vector<std::vector<std::size_t>>& successors) {
    std::vector<std::size_t> turns(graph.nodes.size(), kNoTurn);
    std::vector<std::size_t> firstUser(graph.storages.size(), kNoTurn);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const auto* conv = std::get_if<ConvNode>(&graph.nodes[n].work);
        if (conv != nullptr && graph.storageOf(conv->filter).kind == StorageKind::kSramCopy) {
            std::size_t& first = firstUser[graph.tensors[conv->filter].storage];
            turns[n] = first = std::min(first, n);
        }
    }
    for (std::size_t n = graph.nodes.size(); n-- > 0;) {
        for (const std::size_t later : successors[n]) {
            turns[n] = std::min(turns[n], turns[later]);
        }
    }
    return turns;
}

}  // namespace

std::optional<Graph> orderByFilters(const Graph& graph) {
    const auto successors = successorsOf(graph);
    const std::vector<std::size_t> turns = turnsOf(graph, successors);
    std::vector<std::size_t> waitsFor(graph.nodes.size());
    for (const std::vector<std::size_t>& later : successors) {
        for (const std::size_t n : later) {
            ++waitsFor[n];
        }
    }
    using Entry = std::pair<std::size_t, std::size_t>;  // turn, node
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        if (waitsFor[n] == 0) {
            ready.emplace(turns[n], n);
        }
    }
    std::vector<std::size_t> order;
    while (!ready.empty()) {
        const std::size_t n = ready.top().second;
        ready.pop();
        order.push_back(n);
        for (const std::size_t later : successors[n]) {
            if (--waitsFor[later] == 0) {
                ready.emplace(turns[later], later);
            }
        }
    }
    if (std::is_sorted(order.begin(), order.end())) {
        return std::nullopt;
    }
    Graph ordered = graph;
    ordered.nodes.clear();
    for (const std::size_t n : order) {
        ordered.nodes.push_back(graph.nodes[n]);
    }
    return ordered;
}

}  // namespace vnpu::driver
