// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/whole_cost.h"

#include <algorithm>

namespace vnpu::driver {
namespace {

std::uint64_t bytesOf(const Graph& graph, TensorId id) {
    if (id == kNoTensor) {
        return 0;
    }
    const Tensor& tensor = graph.tensors[id];
    return tensor.isDynamic() ? graph.storages[tensor.storage].sizeBytes : tensor.sizeBytes();
}

}  // namespace

CommandCost wholeCost(const CostModel& costs, const Graph& graph, const OperatorNode& node) {
    std::uint64_t bytes = 0;
    for (const auto* tensors : {&node.inputs, &node.outputs}) {
        for (const TensorId id : *tensors) {
            bytes += bytesOf(graph, id);
        }
    }
    CommandCost cost;
    cost.dramBytes = CostModel::busBytes(1, bytes);
    cost.engineCycles = costs.dmaLatency() + costs.dramCycles(cost.dramBytes);
    return cost;
}

}  // namespace vnpu::driver
