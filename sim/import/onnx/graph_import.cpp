// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/graph_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/import/onnx/operator_context.h"
#include "sim/import/onnx/operator_table.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Refusal;

// chosen: far beyond any model; bounds unrolled loops
constexpr std::uint64_t kMostNodes = 100'000;
constexpr int kMostDepth = 16;  // chosen: graphs within graphs and functions that call others

/// Sets the attributes of a function's nodes that refer to attributes of the call.
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

const Function* GraphImport::functionFor(const Node& node) {
    for (const Function& function : state().model.functions) {
        if (function.name == node.type && function.domain == node.domain) {
            return &function;
        }
    }
    return nullptr;
}

void GraphImport::run(const graph::Node& walked, graph::Scope& scope, graph::Emitter&) {
    const Node& node = file().nodes[walked.index];
    if (++state().visitedNodes > kMostNodes) {
        throw Refusal(fmt::format("more than {} operators after unrolling", kMostNodes));
    }
    std::set<std::string> origins;
    for (const std::string& input : node.inputs) {
        if (const Held* held = input.empty() ? nullptr : find(input)) {
            origins.insert(held->origins.begin(), held->origins.end());
        }
    }
    Context context(*this, node);
    if (isPassed(node)) {
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
        Held* found = output.empty() ? nullptr : heldHere(output);
        if (found == nullptr) {
            if (!output.empty() && isUsed(output)) {
                throw Refusal(
                        fmt::format("output {} is used, which the import does not compute", i));
            }
            continue;
        }
        found->origins.insert(origins.begin(), origins.end());
        scope[idOf(output)] = found->value;
    }
}

std::map<std::string, Held> GraphImport::walkTo(const std::vector<std::string>& outputs,
                                                graph::Report& report) {
    std::vector<std::int32_t> ids;
    for (const std::string& output : outputs) {
        ids.push_back(idOf(output));
        addOutput(output);
    }
    graph::walk(*this, scope(), state().emitter, ids, report);
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
    if (++state().depth > kMostDepth) {
        --state().depth;
        throw Refusal(fmt::format("graphs within graphs, more than {} deep", kMostDepth));
    }
    graph::Report report;
    auto results = walkTo(outputs, report);
    --state().depth;
    state().report.notes.insert(report.notes.begin(), report.notes.end());
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
            for (Node& inner : body.nodes) {  // left out in the call, so also in the body
                std::replace(inner.inputs.begin(), inner.inputs.end(), function.inputs[i],
                             std::string());
            }
        }
    }
    GraphImport import(state(), body, function.opsets.empty() ? opsets() : function.opsets,
                       nullptr);
    for (std::size_t i = 0; i < inputs.size() && i < function.inputs.size(); ++i) {
        if (inputs[i]) {
            import.bind(function.inputs[i], *inputs[i]);
        }
    }
    return import.walkTo(function.outputs);
}

std::vector<Held> inlineGraph(GraphTensors& outer, const Graph& inner,
                              const std::vector<Held>& inputs) {
    if (inputs.size() != inner.inputs.size()) {
        throw Refusal(fmt::format("an inner graph with {} inputs, expected {}", inner.inputs.size(),
                                  inputs.size()));
    }
    GraphImport import(outer.state(), inner, outer.opsets(), &outer);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        import.bind(inner.inputs[i].name, inputs[i]);
    }
    std::vector<std::string> outputs;
    for (const TensorInfo& output : inner.outputs) {
        outputs.push_back(output.name);
    }
    return import.walkTo(outputs);
}

}  // namespace vnpu::sim::onnx
