// SPDX-License-Identifier: Apache-2.0
#include "sim/models/mac_count.h"

#include "sim/models/operand_types.h"

namespace vnpu::sim {

namespace {

std::uint64_t elementsOf(const nn::Operand& operand) {
    return elementCount({operand.dimensions.data(), operand.dimensions.size()});
}

}  // namespace

std::uint64_t operationMacs(const nn::Subgraph& graph, const nn::Operation& operation) {
    if (operation.inputs.size() < 2 || operation.outputs.size() == 0) {
        return 0;
    }
    const nn::Operand& filter = graph.operands[operation.inputs[1]];
    const std::uint64_t outputs = elementsOf(graph.operands[operation.outputs[0]]);
    switch (operation.type) {
        case nn::OperationType::CONV_2D:
        case nn::OperationType::GROUPED_CONV_2D:
        case nn::OperationType::FULLY_CONNECTED:  // dimension 0: output channels
            return filter.dimensions.size() < 2 || filter.dimensions[0] == 0
                           ? 0
                           : outputs * (elementsOf(filter) / filter.dimensions[0]);
        case nn::OperationType::DEPTHWISE_CONV_2D:  // 1 x height x width x channels
            return filter.dimensions.size() != 4
                           ? 0
                           : outputs * filter.dimensions[1] * filter.dimensions[2];
        default:
            return 0;
    }
}

std::uint64_t countMacs(const nn::Subgraph& graph) {
    std::uint64_t macs = 0;
    for (const nn::Operation& operation : graph.operations) {
        macs += operationMacs(graph, operation);
    }
    return macs;
}

}  // namespace vnpu::sim
