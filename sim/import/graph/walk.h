// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/import/graph/emitter.h"
#include "sim/import/graph/report.h"
#include "sim/import/graph/value.h"
#include "sim/models/network.h"

namespace vnpu::sim::graph {

/// Values of the tensors of one graph, by the file's numbers.
using Scope = std::map<std::int32_t, Value>;

/// An operator of a file as the walk sees it. Tensor -1 is an input that is left out.
struct Node {
    std::uint32_t index = 0;
    std::string name;                           // "CONV_2D"
    std::vector<std::int32_t> inputs, outputs;  // tensors
    bool hasEffect = false;                     // runs even if no output needs it
};

/// One graph of a file, as an importer presents it.
class Source {
  public:
    virtual ~Source() = default;
    virtual std::span<const Node> nodes() const = 0;
    /// The value of a constant tensor; nothing for any other tensor. May throw Refusal.
    virtual std::optional<Value> constant(std::int32_t tensor) = 0;
    /// Form and shape as the file declares them, without a value; nothing where the shape is open.
    virtual std::optional<Value> declared(std::int32_t tensor) = 0;
    virtual std::string nameOf(std::int32_t tensor) const = 0;
    /// Computes the node's outputs from its inputs, which are in the scope; throws Refusal.
    virtual void run(const Node& node, Scope& scope, Emitter& emitter) = 0;
};

/// Runs the nodes that `outputs` need, in the file's order. A node that is refused goes into the
/// report, and the walk continues behind it, so that the report has all of them. Constants that a
/// node reads enter the scope before it runs.
void walk(Source& source, Scope& scope, Emitter& emitter, std::span<const std::int32_t> outputs,
          Report& report);

/// The value of a tensor after the walk; refuses one that nothing makes.
Value valueOf(Source& source, Scope& scope, std::int32_t tensor);

/// A model output or input as users see it.
struct Port {
    Value value;
    std::string name;
    FileType fileType = FileType::kAsOperand;
    float fileScale = 0.0F;
};

/// Marks the outputs, builds the network, and describes inputs and outputs by `inputs` and
/// `outputs`. Outputs that are constants, inputs, or occur twice are copied. Throws InputError
/// where there is no input or no output.
Network finish(Emitter& emitter, const std::vector<Port>& inputs, const std::vector<Port>& outputs,
               bool exposeIntermediates);

}  // namespace vnpu::sim::graph
