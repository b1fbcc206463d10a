// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/import/onnx/graph_tensors.h"

namespace vnpu::sim::onnx {

/// One graph of the file, and the walk over it: the model's main graph, a branch or body, or the
/// body of a function.
class GraphImport : public GraphTensors {
  public:
    using GraphTensors::GraphTensors;

    void run(const graph::Node& node, graph::Scope& scope, graph::Emitter& emitter) override;

    /// Walks; the results in the order of the names. Refuses what the walk refuses.
    std::vector<Held> walkTo(const std::vector<std::string>& outputs);
    /// Walks; refusals go into the report, and the outputs that could not be made are missing.
    std::map<std::string, Held> walkTo(const std::vector<std::string>& outputs,
                                       graph::Report& report);

  private:
    const Function* functionFor(const Node& node);
    /// A function's body in place of the node.
    std::vector<Held> inlineFunction(const Function& function, const Node& node,
                                     const std::vector<std::optional<Held>>& inputs);
};

/// A graph within `outer`, with its inputs bound in order; its outputs.
std::vector<Held> inlineGraph(GraphTensors& outer, const Graph& inner,
                              const std::vector<Held>& inputs);

}  // namespace vnpu::sim::onnx
