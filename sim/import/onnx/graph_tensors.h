// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sim/import/graph/walk.h"
#include "sim/import/onnx/model.h"

namespace vnpu::sim::onnx {

/// A tensor during import. If `isChannelsLast`, `value` has dimension 1 of the tensor behind the
/// others, as NNAPI's convolutions need it; a tensor keeps this order until an operator needs the
/// other. Between DequantizeLinear and QuantizeLinear values of real types may have a quantized
/// form. Values of 8-bit integer types are their stored numbers, regardless of the scale.
struct Held {
    graph::Value value;
    ElementType type = ElementType::kNone;
    bool isChannelsLast = false;
    bool isSequence = false;
    std::vector<Held> items = {};        // of a sequence
    std::set<std::string> origins = {};  // the model's inputs that it depends on
};

/// What the graphs of one model share.
struct ImportState {
    const Model& model;
    graph::Emitter& emitter;
    graph::Report& report;
    std::set<std::string> wantedConstants =
            {};  // inputs of the model whose values an operator must know
    std::uint64_t visitedNodes = 0;
    graph::FoldedConstants folded = {};
    int depth = 0;  // of graphs within graphs
};

/// Constants of one element: an int64 and a truth.
Held heldNumber(std::int32_t number);
Held heldTruth(bool truth);

/// The tensors of one graph of the file: what an operator under import sees of its graph.
/// GraphImport adds the import of the operators.
class GraphTensors : public graph::Source {
  public:
    /// `outer` has the tensors that the graph may use from around it; null for the main graph and
    /// for functions.
    GraphTensors(ImportState& state, const Graph& graph, const Opsets& opsets, GraphTensors* outer);

    std::span<const graph::Node> nodes() const override { return walkNodes_; }
    std::optional<graph::Value> constant(std::int32_t tensor) override;
    std::optional<graph::Value> declared(std::int32_t tensor) override;
    std::string nameOf(std::int32_t tensor) const override;

    /// Gives a tensor its value before the walk.
    void bind(const std::string& name, Held held);
    /// Gives a tensor the value that an operator computed. Refuses too many bytes of constants.
    void write(const std::string& name, Held held);
    /// The tensor as it is held, from this graph or around it; null if it has no value yet.
    const Held* find(const std::string& name);
    /// The tensor with its own order of dimensions, or with dimension 1 last; by TRANSPOSE where
    /// needed, once.
    graph::Value inOrder(const std::string& name);
    graph::Value channelsLast(const std::string& name);

    /// The only node that uses the tensor; null where there are several or the graph gives the
    /// tensor back.
    const Node* onlyUser(const std::string& name) const;
    /// All nodes that use the tensor, or nothing where the graph gives it back or an inner graph
    /// uses it.
    std::optional<std::vector<const Node*>> users(const std::string& name) const;
    /// The node's result was already computed with that of its first input.
    void passThrough(const Node& node) { passed_.insert(&node); }

    const Opsets& opsets() const { return opsets_; }
    std::int64_t opset(const std::string& domain) const;
    ImportState& state() { return state_; }

  protected:
    const Graph& file() const { return graph_; }
    graph::Scope& scope() { return scope_; }
    /// The walk's number of a tensor.
    std::int32_t idOf(const std::string& name);
    void addOutput(const std::string& name) { outputs_.insert(name); }
    bool isPassed(const Node& node) const { return passed_.contains(&node); }
    /// The value that this graph holds, or null.
    Held* heldHere(const std::string& name);
    bool isUsed(const std::string& name) const {
        return users_.contains(name) || outputs_.contains(name);
    }

  private:
    void capture(const Graph& inner, std::vector<std::int32_t>& inputs);

    ImportState& state_;
    const Graph& graph_;
    Opsets opsets_;
    GraphTensors* outer_;
    std::map<std::string, std::int32_t> ids_;
    std::vector<std::string> names_;
    std::vector<graph::Node> walkNodes_;
    std::map<std::string, std::vector<const Node*>> users_;
    std::set<std::string> produced_;
    std::set<std::string> outputs_;  // given back, or used by inner graphs
    std::set<const Node*> passed_;
    std::map<std::string, Held> held_;
    std::map<std::string, graph::Value> otherOrder_;  // the same tensors after a transposition
    graph::Scope scope_;
};

/// The dimensions with dimension 1 last, and back.
graph::Dims lastDims(const graph::Dims& dims);
std::vector<std::uint32_t> toLastOrder(std::size_t rank);
std::vector<std::uint32_t> fromLastOrder(std::size_t rank);

}  // namespace vnpu::sim::onnx
