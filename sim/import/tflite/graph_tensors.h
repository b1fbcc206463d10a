// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/import/graph/walk.h"
#include "sim/import/tflite/file_graph.h"
#include "sim/import/tflite/session.h"

namespace vnpu::sim::tflite {

/// The tensors and operators of one graph of the file: what an operator under import sees of its
/// graph. GraphImport adds the import of the operators.
class GraphTensors : public graph::Source {
  public:
    GraphTensors(Session& session, std::size_t graph);

    Session& session() { return session_; }
    const Graph& file() const { return graph_; }
    const std::vector<OperatorView>& operators() const { return operators_; }
    const TensorView& tensor(std::int32_t index);

    std::optional<graph::Value> constant(std::int32_t tensor) override;
    std::optional<graph::Value> declared(std::int32_t tensor) override;
    std::string nameOf(std::int32_t tensor) const override;

  private:
    Session& session_;
    Graph graph_;
    std::vector<OperatorView> operators_;
    std::set<std::int32_t> made_;  // results of operators and inputs of the graph
    std::map<std::int32_t, TensorView> tensors_;
};

}  // namespace vnpu::sim::tflite
