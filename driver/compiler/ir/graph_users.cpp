// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/graph_users.h"

#include <algorithm>

#include "driver/compiler/ir/node_tensors.h"

namespace vnpu::driver {

GraphUsers::GraphUsers(const Graph& graph)
    : reader(graph.tensors.size(), kNobody), writer(graph.tensors.size(), kNobody) {
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        forEachInput(graph.nodes[n], [&](TensorId tensor) {
            reader[tensor] = reader[tensor] == kNobody ? n : kSeveral;
        });
        forEachOutput(graph.nodes[n], [&](TensorId tensor) {
            writer[tensor] = writer[tensor] == kNobody ? n : kSeveral;
        });
    }
}

GraphEdges::GraphEdges(const Graph& graph)
    : readers(graph.tensors.size()), writers(graph.tensors.size()) {
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        inputs.push_back(inputsOf(graph.nodes[n]));
        outputs.push_back(outputsOf(graph.nodes[n]));
        for (const TensorId tensor : inputs.back()) {
            readers[tensor].push_back(n);
        }
        for (const TensorId tensor : outputs.back()) {
            writers[tensor].push_back(n);
        }
    }
}

std::vector<StorageLife> livesOf(const Graph& graph) {
    std::vector<StorageLife> lives(graph.storages.size());
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        forEachTensor(graph.nodes[n], [&](TensorId tensor) {
            StorageLife& life = lives[graph.tensors[tensor].storage];
            life.first = life.end == 0 ? n : life.first;
            life.end = n + 1;
        });
    }
    return lives;
}

bool isIntermediate(const Graph& graph, TensorId tensor) {
    return graph.storageOf(tensor).kind == StorageKind::kScratch;
}

bool liesAlone(const Graph& graph, TensorId tensor) {
    return std::count_if(graph.tensors.begin(), graph.tensors.end(), [&](const Tensor& other) {
               return other.storage == graph.tensors[tensor].storage;
           }) == 1;
}

void dropNodes(Graph& graph, const std::vector<bool>& isDropped) {
    std::size_t kept = 0;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        if (!isDropped[n]) {
            if (kept != n) {
                graph.nodes[kept] = std::move(graph.nodes[n]);
            }
            ++kept;
        }
    }
    graph.nodes.resize(kept);
}

}  // namespace vnpu::driver
