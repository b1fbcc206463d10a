// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/session.h"

#include <fmt/format.h>
#include <tflite_generated.h>

#include <algorithm>

#include "sim/import/graph/conversion.h"

namespace vnpu::sim::tflite {

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
            const Graph graph(file, g);
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
                addAssigned(Graph(file, g));
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

}  // namespace vnpu::sim::tflite
