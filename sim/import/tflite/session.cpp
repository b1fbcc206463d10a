// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/session.h"

#include <fmt/format.h>
#include <tflite_generated.h>

#include <algorithm>

#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"
#include "sim/import/tflite/tensor_value.h"

namespace vnpu::sim::tflite {

namespace {

constexpr std::int32_t kCustom = 32;

constexpr std::int32_t kCallOnce = 129, kVarHandle = 142, kAssignVariable = 144;

bool hasEffect(const OperatorView& op) {
    return op.code == kCallOnce || op.code == kAssignVariable;
}

}  // namespace

graph::Value Session::read(const std::string& key, const std::string& name,
                           const graph::Value& declared) {
    Variable& variable = variables[key];
    if (variable.present) {
        return *variable.present;
    }
    if (variable.initial && !isAssigned(key)) {
        return *variable.initial;
    }
    if (nesting > 0) {
        throw graph::Refusal(
                "reads a variable inside of a branch or a loop before the main graph does");
    }
    variable.name = name;
    const graph::Value& like = variable.initial ? *variable.initial : declared;
    if (like.count() == 0) {
        throw graph::Refusal(fmt::format("variable {} has no known shape", name));
    }
    variable.input = mainEmitter.input(name, like.form, like.dims);
    variable.present = variable.input;
    return *variable.present;
}

void Session::write(const std::string& key, const std::string& name, const graph::Value& value) {
    Variable& variable = variables[key];
    if (isInitializing) {
        if (!value.isConstant()) {
            throw graph::Refusal(
                    fmt::format("the first value of variable {} is not constant", name));
        }
        variable.initial = value;
        return;
    }
    if (nesting > 0) {
        throw graph::Refusal("assigns a variable inside of a branch or a loop");
    }
    if (variable.input && (variable.input->dims != value.dims)) {
        throw graph::Refusal(fmt::format("variable {} is {} and becomes {}", name,
                                         describeDimensions(variable.input->dims),
                                         describeDimensions(value.dims)));
    }
    variable.name = name;
    variable.present =
            variable.input ? graph::convert(mainEmitter, value, variable.input->form) : value;
    variable.isWritten = true;
}

std::vector<Variable> Session::states() const {
    std::vector<Variable> states;
    for (const auto& [key, variable] : variables) {
        if (variable.input) {
            states.push_back(variable);
        }
    }
    std::sort(states.begin(), states.end(), [](const Variable& a, const Variable& b) {
        return *a.input->operand < *b.input->operand;
    });
    return states;
}

void Session::countSteps(std::uint64_t operators) {
    constexpr std::uint64_t kMostSteps = 200'000;  // chosen: some seconds of import
    steps_ += operators;
    if (steps_ > kMostSteps) {
        throw graph::Refusal(fmt::format("loops have more than {} steps in all", kMostSteps));
    }
}

std::string Session::variableKey(const OperatorView& varHandle) {
    const auto* options = varHandle.table->builtin_options_as<schema::VarHandleOptions>();
    const auto text = [](const flatbuffers::String* name) {
        return name == nullptr ? std::string() : name->str();
    };
    return options == nullptr ? "variable"
                              : fmt::format("variable {}/{}", text(options->container()),
                                            text(options->shared_name()));
}

bool Session::isAssigned(const std::string& key) {
    if (!assigned_) {
        assigned_.emplace();
        std::set<std::size_t> initializers;
        for (std::size_t g = 0; g < file.graphCount(); ++g) {
            const Graph graph = file.graph(g);
            for (std::size_t i = 0; i < graph.operatorCount(); ++i) {
                const OperatorView op = graph.operatorAt(i);
                const auto* options = op.table->builtin_options_as<schema::CallOnceOptions>();
                if (op.code == kCallOnce && options != nullptr) {
                    initializers.insert(static_cast<std::size_t>(options->init_subgraph()));
                }
            }
        }
        for (std::size_t g = 0; g < file.graphCount(); ++g) {
            if (!initializers.contains(g)) {
                addAssigned(file.graph(g));
            }
        }
    }
    return assigned_->contains("") || assigned_->contains(key);
}

void Session::addAssigned(const Graph& graph) {
    std::map<std::int32_t, std::string> handles;
    for (std::size_t i = 0; i < graph.operatorCount(); ++i) {
        const OperatorView op = graph.operatorAt(i);
        if (op.code == kVarHandle && !op.outputs.empty()) {
            handles[op.outputs[0]] = variableKey(op);
        } else if (op.code == kAssignVariable && !op.inputs.empty()) {
            assigned_->insert(handles[op.inputs[0]]);
        }
    }
}

GraphSource::GraphSource(Session& session, std::size_t graph)
    : session_(session), graph_(session.file.graph(graph)) {
    for (const std::int32_t input : graph_.inputs()) {
        made_.insert(input);
    }
    for (std::size_t i = 0; i < graph_.operatorCount(); ++i) {
        operators_.push_back(graph_.operatorAt(i));
        const OperatorView& op = operators_.back();
        std::string name = op.code == kCustom ? fmt::format("CUSTOM \"{}\"", op.customName)
                                              : operatorName(op.code);
        nodes_.push_back({op.index, std::move(name), op.inputs, op.outputs, hasEffect(op)});
        made_.insert(op.outputs.begin(), op.outputs.end());
    }
}

const TensorView& GraphSource::tensor(std::int32_t index) {
    const auto found = tensors_.find(index);
    return found != tensors_.end() ? found->second
                                   : tensors_.emplace(index, graph_.tensor(index)).first->second;
}

std::optional<graph::Value> GraphSource::constant(std::int32_t index) {
    const TensorView& view = tensor(index);
    if (view.isVariable && !view.hasData) {  // the operator reads its state itself
        return graph::Value{.dims = view.dimensions, .name = view.name};
    }
    const bool isEmpty = elementCount(view.dimensions) == 0 && !view.isOpen;
    if (!view.hasData && !(isEmpty && !made_.contains(index))) {
        return std::nullopt;
    }
    graph::Value value = view.hasData ? constantValue(view)
                                      : graph::constantOf(formOf(view), view.dimensions, {});
    value.name = view.name;
    return value;
}

std::optional<graph::Value> GraphSource::declared(std::int32_t index) {
    const TensorView& view = tensor(index);
    if (view.isOpen) {
        return std::nullopt;
    }
    return graph::Value{.form = formOf(view), .dims = view.dimensions, .name = view.name};
}

std::string GraphSource::nameOf(std::int32_t index) const {
    return index < 0 ? "" : graph_.tensorName(index);
}

void GraphSource::run(const graph::Node& node, graph::Scope& scope, graph::Emitter& emitter) {
    const OperatorView& op = operators_[node.index];
    const Row* row = findRow(op.code);
    if (row == nullptr) {
        throw graph::Refusal("is an operator that the format did not have when this was written");
    }
    if (row->import == nullptr) {
        throw graph::Refusal(std::string(row->how));
    }
    Call call(op, *this, scope, emitter);
    row->import(call);
}

}  // namespace vnpu::sim::tflite
