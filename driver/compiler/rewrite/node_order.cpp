// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/node_order.h"

#include <algorithm>
#include <numeric>

#include "driver/compiler/rewrite/stripes.h"

namespace vnpu::driver {

NodeOrder::NodeOrder(const Graph& graph, const GraphEdges& edges)
    : graph_(graph), edges_(edges), order_(graph.nodes.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
}

// Whether `later` may come before `earlier`.
bool NodeOrder::mayPass(std::size_t earlier, std::size_t later) const {
    return !touches(edges_.outputs[earlier], edges_.inputs[later]) &&
           !touches(edges_.inputs[earlier], edges_.outputs[later]) && !writeTheSame(earlier, later);
}

bool NodeOrder::touches(const std::vector<TensorId>& a, const std::vector<TensorId>& b) const {
    return std::any_of(a.begin(), a.end(), [&](TensorId x) {
        return std::any_of(b.begin(), b.end(), [&](TensorId y) {
            return graph_.tensors[x].storage == graph_.tensors[y].storage;
        });
    });
}

// Parts of a concatenation do not overlap; other writers of one storage may.
bool NodeOrder::writeTheSame(std::size_t a, std::size_t b) const {
    const auto isPlain = [this](std::size_t n) { return isCuttable(graph_, graph_.nodes[n]); };
    return touches(edges_.outputs[a], edges_.outputs[b]) && (!isPlain(a) || !isPlain(b));
}

std::optional<std::size_t> NodeOrder::placeOf(std::span<const std::size_t> group) const {
    std::vector<std::size_t> inside;
    for (std::size_t i = 0; i < order_.size() && inside.size() < group.size(); ++i) {
        if (std::binary_search(group.begin(), group.end(), order_[i])) {
            inside.push_back(i);
        }
    }
    bool canRise = true, canSink = true;
    for (std::size_t i = inside.front(); i <= inside.back(); ++i) {
        if (std::binary_search(group.begin(), group.end(), order_[i])) {
            continue;
        }
        for (const std::size_t member : inside) {
            if (member > i) {
                canRise = canRise && mayPass(order_[i], order_[member]);
            } else {
                canSink = canSink && mayPass(order_[member], order_[i]);
            }
        }
    }
    if (canRise) {
        return inside.front();
    }
    return canSink ? std::optional(inside.back()) : std::nullopt;
}

void NodeOrder::gather(std::span<const std::size_t> group) {
    const std::size_t place = *placeOf(group);
    std::vector<std::size_t> order;
    order.reserve(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
        if (i == place) {
            order.insert(order.end(), group.begin(), group.end());
        }
        if (!std::binary_search(group.begin(), group.end(), order_[i])) {
            order.push_back(order_[i]);
        }
    }
    order_ = std::move(order);
}

}  // namespace vnpu::driver
