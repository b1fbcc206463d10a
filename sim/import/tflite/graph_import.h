// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/import/tflite/graph_tensors.h"

namespace vnpu::sim::tflite {

/// One graph of the file as the walk sees it: runs the rows of the operators.
class GraphImport : public GraphTensors {
  public:
    GraphImport(Session& session, std::size_t graph);

    std::span<const graph::Node> nodes() const override { return nodes_; }
    void run(const graph::Node& node, graph::Scope& scope, graph::Emitter& emitter) override;

  private:
    std::vector<graph::Node> nodes_;
};

}  // namespace vnpu::sim::tflite
