// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/graph_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/import/graph/movement.h"
#include "sim/import/onnx/operator_context.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Refusal;
using graph::Value;

constexpr std::uint64_t kMostNodes =
        100'000;  // chosen: far beyond any model; bounds unrolled loops
constexpr std::uint64_t kMostFoldedBytes =
        1ULL << 30;             // chosen: more than the weights of a model for a phone
constexpr int kMostDepth = 16;  // chosen: graphs within graphs and functions that call others

/// The values of attributes that a function's node takes from its caller.
void resolveReferences(std::vector<Node>& nodes, const Attributes& given) {
    for (Node& node : nodes) {
        for (auto entry = node.attributes.begin(); entry != node.attributes.end();) {
            const auto found = given.find(entry->second.reference);
            if (entry->second.reference.empty()) {
                ++entry;
            } else if (found != given.end()) {
                entry->second = found->second;
                ++entry;
            } else {
                entry = node.attributes.erase(entry);
            }
        }
    }
}

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

GraphImport::GraphImport(ImportState& state, const Graph& graph, const Opsets& opsets,
                         GraphImport* outer)
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
void GraphImport::capture(const Graph& inner, std::vector<std::int32_t>& inputs) {
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

std::int32_t GraphImport::idOf(const std::string& name) {
    const auto [entry, isNew] = ids_.emplace(name, static_cast<std::int32_t>(names_.size()));
    if (isNew) {
        names_.push_back(name);
    }
    return entry->second;
}

std::string GraphImport::nameOf(std::int32_t tensor) const {
    return tensor < 0 ? "" : names_[static_cast<std::size_t>(tensor)];
}

std::optional<Value> GraphImport::constant(std::int32_t tensor) {
    const std::string& name = names_[static_cast<std::size_t>(tensor)];
    if (produced_.contains(name)) {
        return std::nullopt;
    }
    const Held* held = find(name);
    return held == nullptr ? std::nullopt : std::optional(held->value);
}

std::optional<Value> GraphImport::declared(std::int32_t tensor) {
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

const Held* GraphImport::find(const std::string& name) {
    if (const auto found = held_.find(name); found != held_.end()) {
        // The walk puts operands in place of what it could not make.
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

void GraphImport::bind(const std::string& name, Held held) {
    scope_[idOf(name)] = held.value;
    held_[name] = std::move(held);
}

void GraphImport::write(const std::string& name, Held held) {
    if (held.value.isConstant()) {
        state_.foldedBytes += held.value.bytes->size();
        if (state_.foldedBytes > kMostFoldedBytes) {
            throw Refusal(fmt::format("constants of more than {} bytes are computed during import",
                                      kMostFoldedBytes));
        }
    }
    bind(name, std::move(held));
}

Value GraphImport::inOrder(const std::string& name) {
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

Value GraphImport::channelsLast(const std::string& name) {
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

std::optional<std::vector<const Node*>> GraphImport::users(const std::string& name) const {
    const auto found = users_.find(name);
    if (outputs_.contains(name) || found == users_.end()) {
        return std::nullopt;
    }
    return found->second;
}

const Node* GraphImport::onlyUser(const std::string& name) const {
    const auto all = users(name);
    return all && all->size() == 1 ? (*all)[0] : nullptr;
}

std::int64_t GraphImport::opset(const std::string& domain) const {
    const auto found = opsets_.find(domain);
    return found == opsets_.end() ? 1 : found->second;
}

const Function* GraphImport::functionFor(const Node& node) const {
    for (const Function& function : state_.model.functions) {
        if (function.name == node.type && function.domain == node.domain) {
            return &function;
        }
    }
    return nullptr;
}

void GraphImport::run(const graph::Node& walked, graph::Scope& scope, graph::Emitter&) {
    const Node& node = graph_.nodes[walked.index];
    if (++state_.visitedNodes > kMostNodes) {
        throw Refusal(fmt::format("more than {} operators after unrolling", kMostNodes));
    }
    std::set<std::string> origins;
    for (const std::string& input : node.inputs) {
        if (const Held* held = input.empty() ? nullptr : find(input)) {
            origins.insert(held->origins.begin(), held->origins.end());
        }
    }
    Context context(*this, node);
    if (passed_.contains(&node)) {
        write(node.outputs[0], *find(node.inputs[0]));
    } else if (const Function* function = functionFor(node)) {
        std::vector<std::optional<Held>> inputs;
        for (const std::string& input : node.inputs) {
            const Held* held = input.empty() ? nullptr : find(input);
            inputs.push_back(held == nullptr ? std::nullopt : std::optional(*held));
        }
        const auto outputs = inlineFunction(*function, node, inputs);
        for (std::size_t i = 0; i < node.outputs.size() && i < outputs.size(); ++i) {
            write(node.outputs[i], outputs[i]);
        }
    } else {
        runOperator(context);
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const std::string& output = node.outputs[i];
        const auto found = output.empty() ? held_.end() : held_.find(output);
        if (found == held_.end()) {
            if (!output.empty() && (users_.contains(output) || outputs_.contains(output))) {
                throw Refusal(
                        fmt::format("output {} is used, which the import does not compute", i));
            }
            continue;
        }
        found->second.origins.insert(origins.begin(), origins.end());
        scope[idOf(output)] = found->second.value;
    }
}

std::map<std::string, Held> GraphImport::walkTo(const std::vector<std::string>& outputs,
                                                graph::Report& report) {
    std::vector<std::int32_t> ids;
    for (const std::string& output : outputs) {
        ids.push_back(idOf(output));
        outputs_.insert(output);
    }
    graph::walk(*this, scope_, state_.emitter, ids, report);
    std::map<std::string, Held> results;
    for (const std::string& output : outputs) {
        const Held* held = find(output);
        if (held == nullptr) {
            continue;
        }
        Held result = *held;
        if (!result.isSequence) {
            result.value = inOrder(output);
            result.isChannelsLast = false;
        }
        results[output] = std::move(result);
    }
    return results;
}

std::vector<Held> GraphImport::walkTo(const std::vector<std::string>& outputs) {
    if (++state_.depth > kMostDepth) {
        --state_.depth;
        throw Refusal(fmt::format("graphs within graphs, more than {} deep", kMostDepth));
    }
    graph::Report report;
    auto results = walkTo(outputs, report);
    --state_.depth;
    state_.report.notes.insert(report.notes.begin(), report.notes.end());
    if (!report.isComplete()) {
        throw Refusal("inner graph: " + graph::summarize(report));
    }
    std::vector<Held> ordered;
    for (const std::string& output : outputs) {
        const auto found = results.find(output);
        if (found == results.end()) {
            throw Refusal(fmt::format("inner graph: nothing makes its output {}", output));
        }
        ordered.push_back(found->second);
    }
    return ordered;
}

std::vector<Held> GraphImport::inlineGraph(const Graph& inner, const std::vector<Held>& inputs) {
    if (inputs.size() != inner.inputs.size()) {
        throw Refusal(fmt::format("an inner graph with {} inputs, expected {}", inner.inputs.size(),
                                  inputs.size()));
    }
    GraphImport import(state_, inner, opsets_, this);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        import.bind(inner.inputs[i].name, inputs[i]);
    }
    std::vector<std::string> outputs;
    for (const TensorInfo& output : inner.outputs) {
        outputs.push_back(output.name);
    }
    return import.walkTo(outputs);
}

std::vector<Held> GraphImport::inlineFunction(const Function& function, const Node& node,
                                              const std::vector<std::optional<Held>>& inputs) {
    Graph body;
    body.name = function.name;
    body.nodes = function.nodes;
    resolveReferences(body.nodes, node.attributes);
    for (std::size_t i = 0; i < function.inputs.size(); ++i) {
        TensorInfo input;
        input.name = function.inputs[i];
        body.inputs.push_back(input);
        if (i >= inputs.size() || !inputs[i]) {
            for (Node& inner : body.nodes) {  // left out here, so left out there
                std::replace(inner.inputs.begin(), inner.inputs.end(), function.inputs[i],
                             std::string());
            }
        }
    }
    GraphImport import(state_, body, function.opsets.empty() ? opsets_ : function.opsets, nullptr);
    for (std::size_t i = 0; i < inputs.size() && i < function.inputs.size(); ++i) {
        if (inputs[i]) {
            import.bind(function.inputs[i], *inputs[i]);
        }
    }
    return import.walkTo(function.outputs);
}

}  // namespace vnpu::sim::onnx
