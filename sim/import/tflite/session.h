// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/import/graph/emitter.h"
#include "sim/import/graph/report.h"
#include "sim/import/graph/value.h"
#include "sim/import/tflite/file_graph.h"

namespace vnpu::sim::tflite {

/// Codes of the operators that use variables. source: TensorFlow Lite schema
inline constexpr std::int32_t kCallOnce = 129, kVarHandle = 142, kAssignVariable = 144;

/// A state that the file keeps between inferences: a resource variable or a variable tensor.
struct Variable {
    std::string name;
    std::optional<graph::Value> input;    // the model input with the state before the inference
    std::optional<graph::Value> present;  // the state at this point of the graph
    std::optional<graph::Value> initial;  // a constant; real zeros if none
    bool isWritten = false;
};

/// What the graphs of one import share.
class Session {
  public:
    static std::string variableKey(const OperatorView& varHandle);

    Session(const File& from, graph::Emitter& main) : file(from), mainEmitter(main) {}

    /// The state before this operator; makes it a model input at its first use. `declared` says its
    /// form and shape.
    graph::Value read(const std::string& key, const std::string& name,
                      const graph::Value& declared);
    void write(const std::string& key, const std::string& name, const graph::Value& value);

    /// Variables that are read before they are written, in the order of their model inputs.
    std::vector<Variable> states() const;

    const File& file;
    graph::Emitter& mainEmitter;
    graph::Report report;
    std::map<std::string, Variable> variables;
    bool isInitializing = false;  // inside CALL_ONCE: constants become first values
    graph::FoldedConstants folded;
    int depth = 0;    // of nested graphs that run in place
    int nesting = 0;  // of nested subgraphs of the NNAPI model
    /// Refuses more operators than any model's loops have when they are unrolled.
    void countSteps(std::uint64_t operators);
    /// Whether an operator assigns the variable outside of CALL_ONCE.
    bool isAssigned(const std::string& key);

  private:
    void addAssigned(const Graph& graph);

    std::uint64_t steps_ = 0;
    std::optional<std::set<std::string>> assigned_;  // keys, read once; "" stands for any
};

}  // namespace vnpu::sim::tflite
