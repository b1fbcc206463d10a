// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/pool_parts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "driver/compiler/ir/graph_users.h"

namespace vnpu::driver {
namespace {

class PoolDivider {
  public:
    explicit PoolDivider(Graph& graph)
        : graph_(graph), edges_(graph), replacements_(graph.nodes.size()) {}

    void run() {
        std::vector<bool> isDropped(graph_.nodes.size(), false);
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
            const auto* pool = std::get_if<PoolNode>(&graph_.nodes[n].work);
            if (pool != nullptr && isDivisible(*pool)) {
                for (const std::size_t part : edges_.writers[pool->input]) {
                    addPart(n, part);
                    isDropped[part] = true;
                }
                isDropped[n] = true;
            }
        }
        std::vector<Node> nodes;
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
            if (!isDropped[n]) {
                nodes.push_back(std::move(graph_.nodes[n]));
            }
            std::move(replacements_[n].begin(), replacements_[n].end(), std::back_inserter(nodes));
        }
        graph_.nodes = std::move(nodes);
    }

  private:
    bool isOnlyReader(TensorId tensor) const {
        return isIntermediate(graph_, tensor) && liesAlone(graph_, tensor) &&
               edges_.readers[tensor].size() == 1;
    }

    /// Whether a node copies the channels of a tensor that nothing else reads to some channels of
    /// the tensor that it writes.
    bool isPart(std::size_t n) const {
        const auto* copy = std::get_if<CopyNode>(&graph_.nodes[n].work);
        if (copy == nullptr || !copy->isPart || !isOnlyReader(copy->input)) {
            return false;
        }
        const Shape& part = graph_.tensors[copy->input].shape;
        const Shape& whole = graph_.tensors[copy->output].shape;
        return std::equal(part.begin(), part.end() - 1, whole.begin(), whole.end() - 1);
    }

    bool isDivisible(const PoolNode& pool) const {
        const std::vector<std::size_t>& parts = edges_.writers[pool.input];
        return parts.size() > 1 && isOnlyReader(pool.input) &&
               std::all_of(parts.begin(), parts.end(), [this](std::size_t n) { return isPart(n); });
    }

    /// The pool `n` of the tensor that node `part` copies, and the copy of its result.
    void addPart(std::size_t n, std::size_t part) {
        auto pool = std::get<PoolNode>(graph_.nodes[n].work);
        auto copy = std::get<CopyNode>(graph_.nodes[part].work);
        Tensor pooled = graph_.tensors[pool.output];
        pooled.shape.back() = graph_.tensors[copy.input].shape.back();
        pooled.storage = static_cast<StorageId>(graph_.storages.size());
        graph_.storages.emplace_back();
        graph_.tensors.push_back(pooled);

        copy.output = pool.output;
        copy.axes.front().extent = elementCount(pooled.shape) / pooled.shape.back();
        pool.input = std::exchange(copy.input, static_cast<TensorId>(graph_.tensors.size() - 1));
        pool.output = copy.input;
        pool.geometry.inputChannels = pool.geometry.outputChannels = pooled.shape.back();
        replacements_[n].push_back({graph_.nodes[n].operation, pool});
        replacements_[n].push_back({graph_.nodes[part].operation, std::move(copy)});
    }

    Graph& graph_;
    GraphEdges edges_;
    std::vector<std::vector<Node>> replacements_;  // by the pool
};

}  // namespace

void poolParts(Graph& graph) {
    PoolDivider(graph).run();
}

}  // namespace vnpu::driver
