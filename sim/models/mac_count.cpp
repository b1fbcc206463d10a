// SPDX-License-Identifier: Apache-2.0
#include "sim/models/mac_count.h"

#include "sim/models/operand_types.h"

namespace vnpu::sim {

std::uint64_t operationMacs(nn::OperationType type, std::span<const std::uint32_t> filter,
                            std::span<const std::uint32_t> output) {
    switch (type) {
        case nn::OperationType::CONV_2D:
        case nn::OperationType::GROUPED_CONV_2D:
        case nn::OperationType::FULLY_CONNECTED:  // dimension 0: output channels
            return filter.size() < 2 || filter[0] == 0
                           ? 0
                           : elementCount(output) * (elementCount(filter) / filter[0]);
        case nn::OperationType::DEPTHWISE_CONV_2D:  // 1 x height x width x channels
            return filter.size() != 4 ? 0 : elementCount(output) * filter[1] * filter[2];
        default:
            return 0;
    }
}

std::uint64_t operationMacs(const nn::Subgraph& graph, const nn::Operation& operation) {
    if (operation.inputs.size() < 2 || operation.outputs.size() == 0) {
        return 0;
    }
    const auto& filter = graph.operands[operation.inputs[1]].dimensions;
    const auto& output = graph.operands[operation.outputs[0]].dimensions;
    return operationMacs(operation.type, {filter.data(), filter.size()},
                         {output.data(), output.size()});
}

std::uint64_t countMacs(const nn::Subgraph& graph) {
    std::uint64_t macs = 0;
    for (const nn::Operation& operation : graph.operations) {
        macs += operationMacs(graph, operation);
    }
    return macs;
}

}  // namespace vnpu::sim
