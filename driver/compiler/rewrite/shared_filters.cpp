// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/shared_filters.h"

#include <utility>
#include <vector>

namespace vnpu::driver {
namespace {

/// The filter that a node may find in SRAM; kNoTensor if it has none.
TensorId constantFilterOf(const Graph& graph, const Node& node) {
    const auto* conv = std::get_if<ConvNode>(&node.work);
    return conv != nullptr && graph.isConstant(conv->filter) ? conv->filter : kNoTensor;
}

}  // namespace

TensorId addFilterCopy(Graph& graph, TensorId filter) {
    Tensor copy = graph.tensors[filter];
    graph.storages.push_back(
            {.kind = StorageKind::kSramCopy, .sizeBytes = copy.sizeBytes(), .original = filter});
    copy.storage = static_cast<StorageId>(graph.storages.size() - 1);
    copy.byteOffset = 0;
    graph.tensors.push_back(std::move(copy));
    return static_cast<TensorId>(graph.tensors.size() - 1);
}

void copySharedFilters(Graph& graph) {
    std::vector<std::size_t> users(graph.tensors.size());
    for (const Node& node : graph.nodes) {
        if (const TensorId filter = constantFilterOf(graph, node); filter != kNoTensor) {
            ++users[filter];
        }
    }
    std::vector<TensorId> copies(graph.tensors.size(), kNoTensor);
    std::vector<Node> nodes;
    nodes.reserve(graph.nodes.size());
    for (Node& node : graph.nodes) {
        const TensorId filter = constantFilterOf(graph, node);
        if (filter != kNoTensor && users[filter] > 1) {
            if (copies[filter] == kNoTensor) {
                copies[filter] = addFilterCopy(graph, filter);
                nodes.push_back(
                        {node.operation, copyOf(filter, copies[filter],
                                                elementCount(graph.tensors[filter].shape))});
            }
            std::get<ConvNode>(node.work).filter = copies[filter];
        }
        nodes.push_back(std::move(node));
    }
    graph.nodes = std::move(nodes);
}

}  // namespace vnpu::driver
