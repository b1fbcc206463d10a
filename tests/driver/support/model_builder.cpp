// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/support/model_builder.h"

namespace vnpu::driver::test {
namespace {

using android::hardware::neuralnetworks::V1_3::Operand;

void append(Operand& operand, Bytes& home, const void* value, std::size_t bytes) {
    home.resize((home.size() + 3) / 4 * 4);
    operand.location.offset = static_cast<std::uint32_t>(home.size());
    operand.location.length = static_cast<std::uint32_t>(bytes);
    const auto* begin = static_cast<const std::byte*>(value);
    home.insert(home.end(), begin, begin + bytes);
}

}  // namespace

std::uint32_t ModelBuilder::add(const TensorSpec& spec, OperandLifeTime lifetime) {
    Operand operand;
    operand.type = spec.type;
    operand.dimensions = spec.dimensions;
    operand.scale = spec.scale;
    operand.zeroPoint = spec.zeroPoint;
    operand.lifetime = lifetime;
    if (spec.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        android::hardware::neuralnetworks::V1_2::SymmPerChannelQuantParams quant;
        quant.scales = spec.channelScales;
        quant.channelDim = spec.channelDimension;
        operand.extraParams.channelQuant(quant);
    }
    operands_.push_back(operand);
    const auto index = static_cast<std::uint32_t>(operands_.size() - 1);
    if (lifetime == OperandLifeTime::SUBGRAPH_INPUT) {
        inputs_.push_back(index);
    } else if (lifetime == OperandLifeTime::SUBGRAPH_OUTPUT) {
        outputs_.push_back(index);
    }
    return index;
}

std::uint32_t ModelBuilder::input(const TensorSpec& spec) {
    return add(spec, OperandLifeTime::SUBGRAPH_INPUT);
}

std::uint32_t ModelBuilder::output(const TensorSpec& spec) {
    return add(spec, OperandLifeTime::SUBGRAPH_OUTPUT);
}

std::uint32_t ModelBuilder::temporary(const TensorSpec& spec) {
    return add(spec, OperandLifeTime::TEMPORARY_VARIABLE);
}

std::uint32_t ModelBuilder::noValue(OperandType type) {
    return add({type, {}}, OperandLifeTime::NO_VALUE);
}

std::uint32_t ModelBuilder::constant(const TensorSpec& spec, const Bytes& value) {
    const std::uint32_t index = add(spec, OperandLifeTime::CONSTANT_COPY);
    append(operands_[index], values_, value.data(), value.size());
    return index;
}

std::uint32_t ModelBuilder::pooled(const TensorSpec& spec, const Bytes& value) {
    const std::uint32_t index = add(spec, OperandLifeTime::CONSTANT_REFERENCE);
    append(operands_[index], pool_, value.data(), value.size());
    return index;
}

std::uint32_t ModelBuilder::scalar(OperandType type, const void* value, std::size_t bytes) {
    const std::uint32_t index = add({type, {}}, OperandLifeTime::CONSTANT_COPY);
    append(operands_[index], values_, value, bytes);
    return index;
}

std::uint32_t ModelBuilder::int32(std::int32_t value) {
    return scalar(OperandType::INT32, &value, sizeof(value));
}

std::uint32_t ModelBuilder::float32(float value) {
    return scalar(OperandType::FLOAT32, &value, sizeof(value));
}

std::uint32_t ModelBuilder::boolean(bool value) {
    const std::uint8_t byte = value ? 1 : 0;
    return scalar(OperandType::BOOL, &byte, sizeof(byte));
}

std::uint32_t ModelBuilder::int32s(const std::vector<std::int32_t>& values, Dimensions dimensions) {
    if (dimensions.empty()) {
        dimensions = {static_cast<std::uint32_t>(values.size())};
    }
    return constant({OperandType::TENSOR_INT32, dimensions}, bytesOf(values));
}

void ModelBuilder::operation(OperationType type, const std::vector<std::uint32_t>& inputs,
                             std::uint32_t output) {
    operation(type, inputs, std::vector<std::uint32_t>{output});
}

void ModelBuilder::operation(OperationType type, const std::vector<std::uint32_t>& inputs,
                             const std::vector<std::uint32_t>& outputs) {
    for (const std::uint32_t i : inputs) {
        ++operand(i).numberOfConsumers;
    }
    android::hardware::neuralnetworks::V1_3::Operation operation;
    operation.type = type;
    operation.inputs = inputs;
    operation.outputs = outputs;
    operations_.push_back(operation);
}

std::uint32_t ModelBuilder::subgraph(const ModelBuilder& body) {
    values_.resize((values_.size() + 3) / 4 * 4);
    const auto valuesBefore = static_cast<std::uint32_t>(values_.size());
    const auto referencedBefore = static_cast<std::uint32_t>(referenced_.size());
    values_.insert(values_.end(), body.values_.begin(), body.values_.end());
    std::vector<android::hardware::neuralnetworks::V1_3::Subgraph> added = body.referenced_;
    added.push_back(body.main());
    for (auto& subgraph : added) {
        for (Operand& operand : subgraph.operands) {
            if (operand.lifetime == OperandLifeTime::CONSTANT_COPY) {
                operand.location.offset += valuesBefore;
            } else if (operand.lifetime == OperandLifeTime::SUBGRAPH) {
                operand.location.offset += referencedBefore;
            }
        }
        referenced_.push_back(subgraph);
    }
    const std::uint32_t index = add({OperandType::SUBGRAPH, {}}, OperandLifeTime::SUBGRAPH);
    operands_[index].location.offset = static_cast<std::uint32_t>(referenced_.size() - 1);
    return index;
}

android::hardware::neuralnetworks::V1_3::Subgraph ModelBuilder::main() const {
    android::hardware::neuralnetworks::V1_3::Subgraph subgraph;
    subgraph.operands = operands_;
    subgraph.operations = operations_;
    subgraph.inputIndexes = inputs_;
    subgraph.outputIndexes = outputs_;
    return subgraph;
}

android::hardware::neuralnetworks::V1_3::Model ModelBuilder::build() const {
    android::hardware::neuralnetworks::V1_3::Model model;
    model.main = main();
    model.referenced = referenced_;
    model.operandValues.resize(values_.size());
    if (!values_.empty()) {
        std::memcpy(model.operandValues.data(), values_.data(), values_.size());
    }
    return model;
}

}  // namespace vnpu::driver::test
