// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/import/graph/elementwise_kinds.h"
#include "sim/import/onnx/graph_tensors.h"

namespace vnpu::sim::onnx {

using graph::Dims;
using graph::Form;
using graph::Refusal;
using graph::Value;

/// How a result is computed: in the form that the next operator needs, and together with the
/// operators that it absorbs.
struct Target {
    Form form = graph::kReal;
    graph::Clamp clamp = graph::Clamp::kNone;
    std::vector<const Node*> absorbed = {};
};

/// An operator under import: its inputs, attributes and results.
class Context {
  public:
    Context(GraphTensors& graph, const Node& node) : graph_(graph), node_(node) {}

    GraphTensors& graph() { return graph_; }
    const Node& node() const { return node_; }
    graph::Emitter& emitter() { return graph_.state().emitter; }
    std::int64_t opset() const { return graph_.opset(node_.domain); }
    /// A sentence for the report about arithmetic that differs from the file's.
    void note(std::string sentence) { graph_.state().report.notes.insert(std::move(sentence)); }

    std::size_t inputCount() const { return node_.inputs.size(); }
    bool has(std::size_t i) const { return i < node_.inputs.size() && !node_.inputs[i].empty(); }
    /// Refuses an input that is left out.
    const Held& held(std::size_t i);
    /// The same for an input that may also be a sequence.
    const Held& heldOrSequence(std::size_t i);
    ElementType type(std::size_t i) { return held(i).type; }
    /// The shape as the file has it, whatever the order in which the tensor is held.
    Dims dims(std::size_t i);
    std::size_t rank(std::size_t i) { return held(i).value.rank(); }

    /// The tensor in the file's order of dimensions. 8-bit integers may have any scale.
    Value in(std::size_t i);
    /// With dimension 1 behind the others.
    Value last(std::size_t i);
    /// For arithmetic on the numbers themselves: 8-bit integers as int32, reals as float32.
    Value number(std::size_t i);
    /// As float32.
    Value real(std::size_t i);
    /// 8-bit integers with scale 1 and zero point 0; others as they are.
    Value plain(std::size_t i);

    /// The elements of an input that must be known now. Refuses, naming `what`, where it is not.
    std::vector<std::int64_t> integers(std::size_t i, const char* what);
    std::vector<double> reals(std::size_t i, const char* what);
    double scalar(std::size_t i, const char* what);
    void requireConstant(std::size_t i, const char* what);

    bool hasAttribute(const std::string& name) const { return node_.attributes.contains(name); }
    std::int64_t integer(const std::string& name, std::int64_t otherwise) const;
    float numberOf(const std::string& name, float otherwise) const;
    std::string text(const std::string& name, const std::string& otherwise) const;
    std::vector<std::int64_t> list(const std::string& name) const;
    const Graph& subgraph(const std::string& name) const;
    /// Axes from an attribute, or from input `i` where newer versions have it; counted from the
    /// front.
    std::vector<std::uint32_t> axes(std::size_t i, std::size_t rank);
    std::uint32_t axis(std::int64_t otherwise, std::size_t rank) const;

    bool wants(std::size_t output) const {
        return output < node_.outputs.size() && !node_.outputs[output].empty();
    }
    void out(std::size_t i, Value value, ElementType type);
    void outLast(std::size_t i, Value value, ElementType type);
    /// In the order and of the type of `like`, which `value` was computed from.
    void outLike(std::size_t i, Value value, const Held& like);
    /// Numbers that were computed as int32 or float32 go back into the type's form.
    void outNumber(std::size_t i, const Value& value, ElementType type, bool isLast = false);
    void outHeld(std::size_t i, Held held);

    /// For result `i` of a real type: a quantized form if only QuantizeLinear with constant
    /// parameters reads it. With `canClamp`, a Relu or Clip(0, 6) between them, or alone, is
    /// computed with the operator.
    Target target(std::size_t i = 0, bool canClamp = false);
    /// Sets the result; the absorbed operators then pass it through.
    void outTo(const Target& target, Value value, ElementType type, bool isLast = false,
               std::size_t i = 0);

    /// A constant input of another node, or null.
    const Value* constantOf(const std::string& name);
    /// The form that QuantizeLinear or DequantizeLinear declares; nothing where it is not one
    /// constant scale for 8 bits.
    std::optional<Form> quantization(const Node& node);

    [[noreturn]] void refuse(const std::string& why) const { throw Refusal(why); }

  private:
    const Attribute* find(const std::string& name, Attribute::Kind kind) const;

    GraphTensors& graph_;
    const Node& node_;
};

}  // namespace vnpu::sim::onnx
