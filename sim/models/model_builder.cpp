// SPDX-License-Identifier: Apache-2.0
#include "sim/models/model_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "hw_model/regs/check.h"
#include "sim/models/mac_count.h"
#include "vnpu/hal/shared_memory.h"

namespace vnpu::sim {

namespace {

std::uint64_t alignUp(std::uint64_t value, std::uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

ModelBuilder::Index ModelBuilder::addEntry(OperandSpec spec, nn::OperandLifeTime lifetime,
                                           std::string name) {
    operands_.push_back({std::move(spec), lifetime, std::move(name), 0, {}});
    return static_cast<Index>(operands_.size() - 1);
}

ModelBuilder::Index ModelBuilder::addInput(OperandSpec spec, std::string name) {
    const Index index =
            addEntry(std::move(spec), nn::OperandLifeTime::SUBGRAPH_INPUT, std::move(name));
    inputs_.push_back(index);
    return index;
}

ModelBuilder::Index ModelBuilder::addTemporary(OperandSpec spec, std::string name) {
    return addEntry(std::move(spec), nn::OperandLifeTime::TEMPORARY_VARIABLE, std::move(name));
}

ModelBuilder::Index ModelBuilder::addConstant(OperandSpec spec, std::span<const std::byte> data) {
    VNPU_CHECK(data.size() == spec.sizeBytes(), "a constant has the size of its operand");
    if (data.size() > kLargestCopyBytes) {
        return addConstant(std::move(spec), std::make_shared<const std::vector<std::byte>>(
                                                    data.begin(), data.end()));
    }
    const Index index = addEntry(std::move(spec), nn::OperandLifeTime::CONSTANT_COPY, "");
    std::vector<std::uint8_t>& values = storage_->operandValues;
    const auto offset = alignUp(values.size(), kCopyAlignment);
    values.resize(offset + data.size());
    std::memcpy(values.data() + offset, data.data(), data.size());
    operands_[index].location = {0, static_cast<std::uint32_t>(offset),
                                 static_cast<std::uint32_t>(data.size())};
    return index;
}

ModelBuilder::Index ModelBuilder::addConstant(OperandSpec spec,
                                              std::shared_ptr<const std::vector<std::byte>> data) {
    if (data->size() <= kLargestCopyBytes) {
        return addConstant(std::move(spec), std::span(*data));
    }
    VNPU_CHECK(data->size() == spec.sizeBytes(), "a constant has the size of its operand");
    const Index index = reserveInPool(std::move(spec));
    storage_->poolParts.push_back({operands_[index].location.offset, std::move(data)});
    return index;
}

ModelBuilder ModelBuilder::subgraphBuilder(std::string name) const {
    ModelBuilder builder(std::move(name));
    builder.storage_ = storage_;
    return builder;
}

ModelBuilder::Index ModelBuilder::addZeroConstant(OperandSpec spec) {
    const std::uint64_t size = spec.sizeBytes();
    if (size <= kLargestCopyBytes) {
        return addConstant(std::move(spec), std::vector<std::byte>(size));
    }
    return reserveInPool(std::move(spec));
}

ModelBuilder::Index ModelBuilder::reserveInPool(OperandSpec spec) {
    const std::uint64_t size = spec.sizeBytes();
    const std::uint64_t offset = alignUp(storage_->poolBytes, kPoolAlignment);
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    if (size > kMost || offset + size > kMost) {
        throw std::runtime_error(
                fmt::format("constants of {}: {} bytes, an NNAPI pool holds less than 2^32", name_,
                            offset + size));
    }
    storage_->poolBytes = offset + size;
    const Index index = addEntry(std::move(spec), nn::OperandLifeTime::CONSTANT_REFERENCE, "");
    operands_[index].location = {0, static_cast<std::uint32_t>(offset),
                                 static_cast<std::uint32_t>(size)};
    return index;
}

ModelBuilder::Index ModelBuilder::addInt32(std::int32_t value) {
    return addScalar(nn::OperandType::INT32, value);
}

ModelBuilder::Index ModelBuilder::addFloat32(float value) {
    return addScalar(nn::OperandType::FLOAT32, value);
}

ModelBuilder::Index ModelBuilder::addBool(bool value) {
    return addScalar(nn::OperandType::BOOL, static_cast<std::uint8_t>(value ? 1 : 0));
}

ModelBuilder::Index ModelBuilder::addInt32Tensor(const std::vector<std::int32_t>& values,
                                                 std::vector<std::uint32_t> dimensions) {
    if (dimensions.empty()) {
        dimensions = {static_cast<std::uint32_t>(values.size())};
    }
    return addConstant({.type = nn::OperandType::TENSOR_INT32, .dimensions = std::move(dimensions)},
                       std::as_bytes(std::span(values)));
}

ModelBuilder::Index ModelBuilder::addOmitted(OperandSpec spec) {
    return addEntry(std::move(spec), nn::OperandLifeTime::NO_VALUE, "");
}

ModelBuilder::Index ModelBuilder::addSubgraph(std::uint32_t subgraph) {
    const Index index =
            addEntry({.type = nn::OperandType::SUBGRAPH}, nn::OperandLifeTime::SUBGRAPH, "");
    operands_[index].location.offset = subgraph;
    return index;
}

std::uint32_t ModelBuilder::addReferenced(const ModelBuilder& subgraph) {
    VNPU_CHECK(subgraph.storage_ == storage_, "a subgraph shares the constants of its model");
    storage_->referenced.push_back(subgraph.makeGraph());
    return static_cast<std::uint32_t>(storage_->referenced.size() - 1);
}

std::uint64_t ModelBuilder::macsFrom(std::size_t first) const {
    std::uint64_t macs = 0;
    for (std::size_t i = first; i < operations_.size(); ++i) {
        const nn::Operation& operation = operations_[i];
        if (operation.inputs.size() > 1 && operation.outputs.size() > 0) {
            macs += operationMacs(operation.type, spec(operation.inputs[1]).dimensions,
                                  spec(operation.outputs[0]).dimensions);
        }
    }
    return macs;
}

void ModelBuilder::addOperation(nn::OperationType type, const std::vector<Index>& inputs,
                                Index output, std::string name) {
    addOperation(type, inputs, std::vector{output}, std::move(name));
}

void ModelBuilder::addOperation(nn::OperationType type, const std::vector<Index>& inputs,
                                const std::vector<Index>& outputs, std::string name) {
    for (const Index input : inputs) {
        ++operands_[input].consumers;
    }
    nn::Operation operation;
    operation.type = type;
    operation.inputs = inputs;
    operation.outputs = outputs;
    operations_.push_back(std::move(operation));
    operationNames_.push_back(name.empty() ? operands_[outputs[0]].name : std::move(name));
}

void ModelBuilder::markOutput(Index operand) {
    VNPU_CHECK(operands_[operand].lifetime == nn::OperandLifeTime::TEMPORARY_VARIABLE,
               "only what an operation makes can become an output, and only once");
    operands_[operand].lifetime = nn::OperandLifeTime::SUBGRAPH_OUTPUT;
    outputs_.push_back(operand);
}

nn::Operand ModelBuilder::makeOperand(const Entry& entry) const {
    nn::Operand operand;
    operand.type = entry.spec.type;
    operand.dimensions = entry.spec.dimensions;
    operand.numberOfConsumers = entry.consumers;
    operand.scale = entry.spec.scale;
    operand.zeroPoint = entry.spec.zeroPoint;
    operand.lifetime = entry.lifetime;
    operand.location = entry.location;
    if (entry.spec.type == nn::OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        nn12::SymmPerChannelQuantParams params;
        params.scales = entry.spec.channelScales;
        params.channelDim = entry.spec.channelDimension;
        operand.extraParams.channelQuant(std::move(params));
    }
    return operand;
}

android::hardware::hidl_memory ModelBuilder::makePool() const {
    auto memory = hal::createSharedMemory(storage_->poolBytes);
    if (!memory) {
        throw std::runtime_error(fmt::format("constants of {}: {}", name_, memory.error()));
    }
    auto pool = hal::MappedPool::create(*memory);
    if (!pool) {
        throw std::runtime_error(fmt::format("constants of {}: {}", name_, pool.error()));
    }
    for (const PoolPart& part : storage_->poolParts) {
        std::memcpy(pool->data() + part.offset, part.data->data(), part.data->size());
    }
    return *memory;
}

TensorDescription ModelBuilder::describe(Index operand) const {
    const Entry& entry = operands_[operand];
    return {entry.name,       entry.spec.type,      entry.spec.dimensions,
            entry.spec.scale, entry.spec.zeroPoint, entry.spec.sizeBytes()};
}

nn::Subgraph ModelBuilder::makeGraph() const {
    std::vector<nn::Operand> operands;
    operands.reserve(operands_.size());
    for (const Entry& entry : operands_) {
        operands.push_back(makeOperand(entry));
    }
    nn::Subgraph graph;
    graph.operands = operands;
    graph.operations = operations_;
    graph.inputIndexes = inputs_;
    graph.outputIndexes = outputs_;
    return graph;
}

Network ModelBuilder::build(bool exposeIntermediates) {
    if (exposeIntermediates) {
        for (const nn::Operation& operation : operations_) {
            if (operands_[operation.outputs[0]].lifetime ==
                nn::OperandLifeTime::TEMPORARY_VARIABLE) {
                markOutput(operation.outputs[0]);
            }
        }
    }
    Network network;
    network.name = name_;
    nn::Model& model = network.model;
    model.main = makeGraph();
    model.referenced = storage_->referenced;
    model.operandValues = storage_->operandValues;
    if (storage_->poolBytes != 0) {
        model.pools = {makePool()};
    }
    for (const Index input : inputs_) {
        network.inputs.push_back(describe(input));
    }
    for (const Index output : outputs_) {
        network.outputs.push_back(describe(output));
    }
    network.operationNames = operationNames_;
    network.macs = countMacs(model.main);
    return network;
}

}  // namespace vnpu::sim
