// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/channel_parts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "driver/compiler/rewrite/channel_slice.h"

namespace vnpu::driver {
namespace {

/// Makes the nodes of one part of the channels.
class PartWriter {
  public:
    PartWriter(Graph& graph, const Channels& part) : graph_(graph), part_(part) {}

    Node partOf(Node node, bool isInternal) {
        ImageNode& image = *imageNodeOf(node);
        const std::uint32_t all = image.geometry.outputChannels;
        if (auto* conv = std::get_if<ConvNode>(&node.work)) {
            conv->filter = addSlice(graph_, conv->filter, 0, part_);
            keepChannels(graph_, *conv, part_);
        } else {
            image.input = made_.at(image.input);
            image.geometry.inputChannels = image.geometry.outputChannels = part_.count;
        }
        TensorId output = addSlice(graph_, image.output, 3, part_);
        if (isInternal) {
            graph_.tensors[output].byteOffset = 0;
            graph_.tensors[output].storage = static_cast<StorageId>(graph_.storages.size());
            graph_.storages.emplace_back();
        } else if (image.outputPixelStride == 0) {
            image.outputPixelStride = all;
        }
        made_[std::exchange(image.output, output)] = output;
        return node;
    }

  private:
    Graph& graph_;
    Channels part_;
    std::map<TensorId, TensorId> made_;  // by the tensor of all channels
};

}  // namespace

std::uint32_t divisibleChannels(const Graph& graph, std::span<const std::size_t> region) {
    const auto* conv = std::get_if<ConvNode>(&graph.nodes[region.front()].work);
    if (conv == nullptr || !hasIndependentChannels(*conv)) {
        return 0;
    }
    std::vector<TensorId> made{conv->output};
    for (const std::size_t n : region.subspan(1)) {
        const auto* pool = std::get_if<PoolNode>(&graph.nodes[n].work);
        if (pool == nullptr || std::ranges::find(made, pool->input) == made.end()) {
            return 0;
        }
        made.push_back(pool->output);
    }
    return conv->geometry.outputChannels;
}

std::vector<std::vector<Node>> divideChannels(Graph& graph, std::span<const std::size_t> region,
                                              std::uint32_t channels) {
    std::vector<bool> isRead(graph.tensors.size(), false);  // within the region
    for (const std::size_t n : region) {
        isRead[imageNodeOf(graph.nodes[n])->input] = true;
    }
    const std::uint32_t all = divisibleChannels(graph, region);
    std::vector<std::vector<Node>> parts;
    for (std::uint32_t first = 0; first < all; first += channels) {
        PartWriter writer(graph, {first, std::min(channels, all - first)});
        std::vector<Node>& nodes = parts.emplace_back();
        for (const std::size_t n : region) {
            const Node& node = graph.nodes[n];
            nodes.push_back(writer.partOf(node, isRead[outputOf(node)]));
        }
    }
    return parts;
}

}  // namespace vnpu::driver
