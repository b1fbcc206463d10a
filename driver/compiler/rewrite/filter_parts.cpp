// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/filter_parts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "driver/compiler/rewrite/channel_slice.h"
#include "driver/compiler/rewrite/shared_filters.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

/// Output channels of a filter, and their copy in SRAM.
struct FilterPart {
    Channels channels;
    TensorId original = kNoTensor, copy = kNoTensor;
};

/// What lies in a storage, if it is a copy of a filter in SRAM.
struct SharedFilter {
    std::uint32_t channels = 0;     // of the outputs; 0: no convolution takes it
    std::vector<FilterPart> parts;  // empty if it stays whole
};

bool isDivisible(const ConvNode& conv) {
    return hasIndependentChannels(conv) && conv.outputPixelStride == 0;
}

class FilterDivider {
  public:
    explicit FilterDivider(const Graph& graph) : graph_(graph), filters_(graph.storages.size()) {}

    /// False if nothing can be divided.
    bool findFilters(std::uint32_t mostParts, std::uint32_t unit) {
        std::vector<bool> isKept(graph_.storages.size(), false);
        for (const Node& node : graph_.nodes) {
            if (const auto* conv = std::get_if<ConvNode>(&node.work)) {
                const StorageId storage = graph_.tensors[conv->filter].storage;
                filters_[storage].channels = conv->geometry.outputChannels;
                isKept[storage] = isKept[storage] || !isDivisible(*conv) ||
                                  graph_.originalOf(conv->filter) == conv->filter;
            }
        }
        bool isDivided = false;
        for (StorageId storage = 0; storage < isKept.size(); ++storage) {
            const std::uint64_t size =
                    hw::roundUp(hw::divideUp(filters_[storage].channels, mostParts), unit);
            if (!isKept[storage] && size < filters_[storage].channels) {
                divide(storage, static_cast<std::uint32_t>(size));
                isDivided = true;
            }
        }
        return isDivided;
    }

    Graph run() {
        for (Node& node : std::exchange(graph_.nodes, {})) {
            if (const auto* copy = std::get_if<CopyNode>(&node.work)) {
                addCopies(node, *copy);
            } else if (const auto* conv = std::get_if<ConvNode>(&node.work)) {
                addConvolutions(node, *conv);
            } else {
                graph_.nodes.push_back(std::move(node));
            }
        }
        return std::move(graph_);
    }

  private:
    const std::vector<FilterPart>& partsOf(TensorId tensor) const {
        return filters_[graph_.tensors[tensor].storage].parts;
    }

    void divide(StorageId storage, std::uint32_t size) {
        SharedFilter filter = filters_[storage];
        for (std::uint32_t first = 0; first < filter.channels; first += size) {
            FilterPart part{{first, std::min(size, filter.channels - first)}, kNoTensor, kNoTensor};
            part.original = addSlice(graph_, graph_.storages[storage].original, 0, part.channels);
            part.copy = addFilterCopy(graph_, part.original);
            filter.parts.push_back(part);
        }
        filters_.resize(graph_.storages.size());
        filters_[storage] = std::move(filter);
    }

    void addCopies(Node& node, const CopyNode& copy) {
        const std::vector<FilterPart>& parts = partsOf(copy.output);
        for (const FilterPart& part : parts) {
            graph_.nodes.push_back(
                    {node.operation, copyOf(part.original, part.copy,
                                            elementCount(graph_.tensors[part.copy].shape))});
        }
        if (parts.empty()) {
            graph_.nodes.push_back(std::move(node));
        }
    }

    void addConvolutions(Node& node, const ConvNode& conv) {
        const std::vector<FilterPart>& parts = partsOf(conv.filter);
        for (const FilterPart& part : parts) {
            ConvNode own = conv;
            own.filter = part.copy;
            keepChannels(graph_, own, part.channels);
            own.output = addSlice(graph_, conv.output, graph_.tensors[conv.output].shape.size() - 1,
                                  part.channels);
            own.outputPixelStride = conv.geometry.outputChannels;
            graph_.nodes.push_back({node.operation, own});
        }
        if (parts.empty()) {
            graph_.nodes.push_back(std::move(node));
        }
    }

    Graph graph_;
    std::vector<SharedFilter> filters_;  // by storage
};

}  // namespace

std::optional<Graph> divideSharedFilters(const Graph& graph, std::uint32_t parts,
                                         std::uint32_t unit) {
    FilterDivider divider(graph);
    return divider.findFilters(parts, unit) ? std::optional(divider.run()) : std::nullopt;
}

}  // namespace vnpu::driver
