// SPDX-License-Identifier: Apache-2.0
#include "sim/models/expose.h"

#include <algorithm>
#include <vector>

#include "sim/models/operand_types.h"

namespace vnpu::sim {

Network exposeOperations(const Network& network, std::size_t first, std::size_t count) {
    Network exposed = network;
    nn::Subgraph& graph = exposed.model.main;
    std::vector<std::uint32_t> outputs = graph.outputIndexes;
    const std::size_t end = std::min(graph.operations.size(), first + count);
    for (std::size_t i = first; i < end; ++i) {
        const std::uint32_t index = graph.operations[i].outputs[0];
        nn::Operand& operand = graph.operands[index];
        if (operand.lifetime != nn::OperandLifeTime::TEMPORARY_VARIABLE) {
            continue;
        }
        operand.lifetime = nn::OperandLifeTime::SUBGRAPH_OUTPUT;
        outputs.push_back(index);
        const std::vector<std::uint32_t> dimensions = operand.dimensions;
        exposed.outputs.push_back({network.operationNames[i], operand.type, dimensions,
                                   operand.scale, operand.zeroPoint,
                                   operandBytes(operand.type, dimensions)});
    }
    graph.outputIndexes = outputs;
    return exposed;
}

std::optional<std::size_t> outputOfOperation(const Network& network, std::size_t operation) {
    const nn::Subgraph& graph = network.model.main;
    const auto* found = graph.outputIndexes.find(graph.operations[operation].outputs[0]);
    if (found == graph.outputIndexes.end()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - graph.outputIndexes.begin());
}

}  // namespace vnpu::sim
