// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/vector_model.h"

#include <algorithm>
#include <cstring>

#include "hw_model/regs/rounding.h"

namespace vnpu::sim {

namespace {

constexpr std::uint32_t kConstantAlignment = 4;  // source: NNAPI HAL VTS, offsets of constants

/// The constants of all subgraphs of a model under construction.
struct ConstantBytes {
    std::vector<std::uint8_t> values;  // CONSTANT_COPY
    std::vector<std::uint8_t> pool;    // CONSTANT_REFERENCE
};

nn10::DataLocation append(std::vector<std::uint8_t>& to, const std::vector<std::byte>& data) {
    const std::size_t offset = hw::roundUp(to.size(), kConstantAlignment);
    to.resize(offset + data.size());
    if (!data.empty()) {
        std::memcpy(to.data() + offset, data.data(), data.size());
    }
    return {0, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(data.size())};
}

nn10::DataLocation locate(const ExampleOperand& operand, ConstantBytes& constants) {
    switch (operand.lifetime) {
        case nn::OperandLifeTime::CONSTANT_COPY:
            return append(constants.values, *operand.data);
        case nn::OperandLifeTime::CONSTANT_REFERENCE:
            return append(constants.pool, *operand.data);
        case nn::OperandLifeTime::SUBGRAPH: {
            std::uint32_t index = 0;
            std::memcpy(&index, operand.data->data(), sizeof(index));
            return {0, index, 0};
        }
        default:
            return {};
    }
}

nn::Operand makeOperand(const ExampleOperand& operand, ConstantBytes& constants) {
    nn::Operand result;
    result.type = operand.type;
    result.dimensions = operand.dimensions;
    result.numberOfConsumers = operand.consumers;
    result.scale = operand.scale;
    result.zeroPoint = operand.zeroPoint;
    result.lifetime = operand.lifetime;
    result.location = locate(operand, constants);
    if (operand.isPerChannel) {
        nn12::SymmPerChannelQuantParams params;
        params.scales = operand.channelScales;
        params.channelDim = operand.channelDimension;
        result.extraParams.channelQuant(std::move(params));
    }
    return result;
}

nn::Subgraph makeSubgraph(const ExampleSubgraph& graph, ConstantBytes& constants) {
    nn::Subgraph result;
    result.operands.resize(graph.operands.size());
    for (std::size_t i = 0; i < graph.operands.size(); ++i) {
        result.operands[i] = makeOperand(graph.operands[i], constants);
    }
    result.operations.resize(graph.operations.size());
    for (std::size_t i = 0; i < graph.operations.size(); ++i) {
        result.operations[i].type = graph.operations[i].type;
        result.operations[i].inputs = graph.operations[i].inputs;
        result.operations[i].outputs = graph.operations[i].outputs;
    }
    result.inputIndexes = graph.inputs;
    result.outputIndexes = graph.outputs;
    return result;
}

android::hardware::hidl_memory makePool(const std::vector<std::uint8_t>& bytes, PoolKind kind) {
    const RequestPool pool = RequestPool::createSingle(bytes.size(), kind);
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::uint8_t*>(pool.bytes().data()));
    return pool.memory();
}

bool hasReferences(const ExampleSubgraph& graph) {
    return std::any_of(graph.operands.begin(), graph.operands.end(),
                       [](const ExampleOperand& operand) {
                           return operand.lifetime == nn::OperandLifeTime::CONSTANT_REFERENCE;
                       });
}

}  // namespace

nn::Model makeModel(const Example& example, PoolKind kind) {
    ConstantBytes constants;
    nn::Model model;
    model.main = makeSubgraph(example.main, constants);
    model.referenced.resize(example.referenced.size());
    bool needsPool = hasReferences(example.main);
    for (std::size_t i = 0; i < example.referenced.size(); ++i) {
        model.referenced[i] = makeSubgraph(example.referenced[i], constants);
        needsPool = needsPool || hasReferences(example.referenced[i]);
    }
    model.operandValues = constants.values;
    if (needsPool) {
        model.pools = {makePool(constants.pool, kind)};
    }
    model.relaxComputationFloat32toFloat16 = example.isRelaxed;
    return model;
}

void leaveOutputsOpen(nn::Model& model) {
    for (const std::uint32_t output : model.main.outputIndexes) {
        auto& dimensions = model.main.operands[output].dimensions;
        std::fill(dimensions.begin(), dimensions.end(), 0U);
    }
}

}  // namespace vnpu::sim
