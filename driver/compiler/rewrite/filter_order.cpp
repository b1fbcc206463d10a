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

using Successors = std::vector<std::vector<std::size_t>>;

/// The latest users of a storage: its last writer of the whole, and the nodes behind that one.
struct StorageUsers {
    std::vector<std::size_t> whole;  // at most one
    std::vector<std::size_t> parts, readers;
};

// chosen: far more than the steps of recurrent layers have; bounds time and memory
constexpr std::size_t kMostPairs = 1'000'000;

/// By node, the later nodes that must not come before it. Nothing if they are too many.
std::optional<Successors> successorsOf(const Graph& graph) {
    const GraphEdges edges(graph);
    Successors successors(graph.nodes.size());
    std::vector<StorageUsers> users(graph.storages.size());
    std::size_t pairs = 0;
    for (std::size_t n = 0; n < graph.nodes.size() && pairs <= kMostPairs; ++n) {
        const auto comesBehind = [&](const std::vector<std::size_t>& earlier) {
            pairs += earlier.size();
            for (const std::size_t node : earlier) {
                if (node != n) {
                    successors[node].push_back(n);
                }
            }
        };
        for (const TensorId input : edges.inputs[n]) {
            StorageUsers& of = users[graph.tensors[input].storage];
            comesBehind(of.whole);
            comesBehind(of.parts);
            of.readers.push_back(n);
        }
        for (const TensorId output : edges.outputs[n]) {
            StorageUsers& of = users[graph.tensors[output].storage];
            comesBehind(of.whole);
            comesBehind(of.readers);
            if (writesPart(graph, graph.nodes[n])) {
                of.parts.push_back(n);
            } else {
                comesBehind(of.parts);
                of = {{n}, {}, {}};
            }
        }
    }
    return pairs <= kMostPairs ? std::optional(std::move(successors)) : std::nullopt;
}

constexpr std::size_t kNoTurn = std::numeric_limits<std::size_t>::max();

/// By node, the first user of a shared filter that the node or one behind it takes; the least of
/// them.
std::vector<std::size_t> turnsOf(const Graph& graph, const Successors& successors) {
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
    const std::optional<Successors> known = successorsOf(graph);
    if (!known) {
        return std::nullopt;
    }
    const Successors& successors = *known;
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
