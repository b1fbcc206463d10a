// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/graph_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/import/graph/movement.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Refusal;
using graph::Value;

}  // namespace

graph::Dims lastDims(const graph::Dims& dims) {
    graph::Dims last = dims;
    std::rotate(last.begin() + 1, last.begin() + 2, last.end());
    return last;
}

std::vector<std::uint32_t> toLastOrder(std::size_t rank) {
    std::vector<std::uint32_t> order(rank);
    std::iota(order.begin(), order.end(), 0U);
    return lastDims(order);
}

std::vector<std::uint32_t> fromLastOrder(std::size_t rank) {
    std::vector<std::uint32_t> order(rank);
    std::iota(order.begin(), order.end(), 0U);
    std::rotate(order.begin() + 1, order.end() - 1, order.end());
    return order;
}

Held heldNumber(std::int32_t number) {
    return {graph::integerConstant({}, {number}), ElementType::kInt64};
}

Held heldTruth(bool truth) {
    return {graph::truthConstant({}, {truth ? std::uint8_t{1} : std::uint8_t{0}}),
            ElementType::kBool};
}

GraphTensors::GraphTensors(ImportState& state, const Graph& graph, const Opsets& opsets,
                           GraphTensors* outer)
    : state_(state), graph_(graph), opsets_(opsets), outer_(outer) {
    for (const Node& node : graph.nodes) {
        for (const std::string& output : node.outputs) {
            produced_.insert(output);
        }
    }
    for (const TensorInfo& input : graph.inputs) {
        produced_.insert(input.name);
    }
    for (const TensorInfo& output : graph.outputs) {
        outputs_.insert(output.name);
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        graph::Node walked;
        walked.index = static_cast<std::uint32_t>(i);
        walked.name = node.domain.empty() ? node.type : node.domain + "." + node.type;
        for (const std::string& input : node.inputs) {
            walked.inputs.push_back(input.empty() ? -1 : idOf(input));
            users_[input].push_back(&node);
        }
        for (const std::string& output : node.outputs) {
            walked.outputs.push_back(output.empty() ? -1 : idOf(output));
        }
        for (const auto& [name, attribute] : node.attributes) {
            if (attribute.graph) {
                capture(*attribute.graph, walked.inputs);
            }
        }
        walkNodes_.push_back(std::move(walked));
    }
}

/// Adds the tensors of this graph that an inner graph uses to a node's inputs.
void GraphTensors::capture(const Graph& inner, std::vector<std::int32_t>& inputs) {
    const auto use = [&](const std::string& name) {
        if (produced_.contains(name) || graph_.constants.contains(name)) {
            inputs.push_back(idOf(name));
            outputs_.insert(name);
        }
    };
    for (const Node& node : inner.nodes) {
        std::for_each(node.inputs.begin(), node.inputs.end(), use);
        for (const auto& [name, attribute] : node.attributes) {
            if (attribute.graph) {
                capture(*attribute.graph, inputs);
            }
        }
    }
    for (const TensorInfo& output : inner.outputs) {
        use(output.name);
    }
}

std::int32_t GraphTensors::idOf(const std::string& name) {
    const auto [entry, isNew] = ids_.emplace(name, static_cast<std::int32_t>(names_.size()));
    if (isNew) {
        names_.push_back(name);
    }
    return entry->second;
}

std::string GraphTensors::nameOf(std::int32_t tensor) const {
    return tensor < 0 ? "" : names_[static_cast<std::size_t>(tensor)];
}

std::optional<Value> GraphTensors::constant(std::int32_t tensor) {
    const std::string& name = names_[static_cast<std::size_t>(tensor)];
    if (produced_.contains(name)) {
        return std::nullopt;
    }
    const Held* held = find(name);
    return held == nullptr ? std::nullopt : std::optional(held->value);
}

std::optional<Value> GraphTensors::declared(std::int32_t tensor) {
    const std::string& name = names_[static_cast<std::size_t>(tensor)];
    const TensorInfo* info = nullptr;
    if (const auto found = graph_.infos.find(name); found != graph_.infos.end()) {
        info = &found->second;
    }
    for (const TensorInfo& output : graph_.outputs) {
        info = output.name == name ? &output : info;
    }
    if (info == nullptr || !info->dims || info->type == ElementType::kNone || info->isSequence ||
        std::count(info->dims->begin(), info->dims->end(), TensorInfo::kOpen) > 0) {
        return std::nullopt;
    }
    const Value value{.form = formOf(info->type), .dims = *info->dims, .name = name};
    held_[name] = {value, info->type};
    return value;
}

const Held* GraphTensors::find(const std::string& name) {
    if (const auto found = held_.find(name); found != held_.end()) {
        // The walk may have put an operand in place of a result that could not be computed.
        if (const auto inScope = scope_.find(idOf(name)); inScope != scope_.end() &&
                                                          !found->second.value.operand &&
                                                          !found->second.value.isConstant()) {
            found->second.value = inScope->second;
        }
        return &found->second;
    }
    if (const auto found = graph_.constants.find(name); found != graph_.constants.end()) {
        return &(held_[name] = {onnx::valueOf(*found->second), found->second->type});
    }
    return outer_ == nullptr ? nullptr : outer_->find(name);
}

void GraphTensors::bind(const std::string& name, Held held) {
    scope_[idOf(name)] = held.value;
    held_[name] = std::move(held);
}

void GraphTensors::write(const std::string& name, Held held) {
    state_.folded.add(held.value);
    bind(name, std::move(held));
}

Value GraphTensors::inOrder(const std::string& name) {
    const Held* held = find(name);
    if (!held->isChannelsLast) {
        return held->value;
    }
    if (const auto found = otherOrder_.find(name); found != otherOrder_.end()) {
        return found->second;
    }
    return otherOrder_[name] =
                   graph::transpose(state_.emitter, held->value, fromLastOrder(held->value.rank()));
}

Value GraphTensors::channelsLast(const std::string& name) {
    const Held* held = find(name);
    if (held->isChannelsLast) {
        return held->value;
    }
    if (held->value.rank() < 3) {
        throw Refusal(fmt::format(
                "a tensor of {}, expected batch, channels and at least one dimension more",
                describeDimensions(held->value.dims)));
    }
    if (const auto found = otherOrder_.find(name); found != otherOrder_.end()) {
        return found->second;
    }
    return otherOrder_[name] =
                   graph::transpose(state_.emitter, held->value, toLastOrder(held->value.rank()));
}

std::optional<std::vector<const Node*>> GraphTensors::users(const std::string& name) const {
    const auto found = users_.find(name);
    if (outputs_.contains(name) || found == users_.end()) {
        return std::nullopt;
    }
    return found->second;
}

const Node* GraphTensors::onlyUser(const std::string& name) const {
    const auto all = users(name);
    return all && all->size() == 1 ? (*all)[0] : nullptr;
}

std::int64_t GraphTensors::opset(const std::string& domain) const {
    const auto found = opsets_.find(domain);
    return found == opsets_.end() ? 1 : found->second;
}

Held* GraphTensors::heldHere(const std::string& name) {
    const auto found = held_.find(name);
    return found == held_.end() ? nullptr : &found->second;
}

}  // namespace vnpu::sim::onnx
