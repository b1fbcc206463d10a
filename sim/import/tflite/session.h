// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/import/graph/walk.h"
#include "sim/import/tflite/file.h"

namespace vnpu::sim::tflite {

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
    int depth = 0;                // of graphs that run in others
    int nesting = 0;              // of subgraphs of the NNAPI model
    /// Refuses more operators than any model's loops have when they are unrolled.
    void countSteps(std::uint64_t operators);
    /// Whether an operator assigns the variable outside of CALL_ONCE.
    bool isAssigned(const std::string& key);

  private:
    void addAssigned(const Graph& graph);

    std::uint64_t steps_ = 0;
    std::optional<std::set<std::string>> assigned_;  // keys, read once; "" stands for any
};

/// One graph of the file as the walk sees it.
class GraphSource : public graph::Source {
  public:
    GraphSource(Session& session, std::size_t graph);

    Session& session() { return session_; }
    const Graph& file() const { return graph_; }
    const TensorView& tensor(std::int32_t index);

    std::span<const graph::Node> nodes() const override { return nodes_; }
    std::optional<graph::Value> constant(std::int32_t tensor) override;
    std::optional<graph::Value> declared(std::int32_t tensor) override;
    std::string nameOf(std::int32_t tensor) const override;
    void run(const graph::Node& node, graph::Scope& scope, graph::Emitter& emitter) override;

  private:
    Session& session_;
    Graph graph_;
    std::vector<OperatorView> operators_;
    std::vector<graph::Node> nodes_;
    std::set<std::int32_t> made_;  // results of operators and inputs of the graph
    std::map<std::int32_t, TensorView> tensors_;
};

}  // namespace vnpu::sim::tflite
