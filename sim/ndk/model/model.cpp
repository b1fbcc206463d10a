// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/model/model.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "driver/validation/operand_rules.h"
#include "driver/validation/operand_types.h"
#include "driver/validation/operation_rules.h"

namespace vnpu::sim::ndk {

using nn::V1_3::Operand;
using nn::V1_3::OperandLifeTime;
using nn::V1_3::OperandType;
using nn::V1_3::Operation;
using nn::V1_3::OperationType;

namespace {

// chosen: far more than any operation takes, so that a wrong count is found before it is read
constexpr std::uint32_t kMostDimensions = 1024;
// chosen: far more than programs nest, and shallow enough to end without a deep stack
constexpr std::uint32_t kMostDepth = 256;

bool isOem(OperandType type) {
    return type == OperandType::OEM || type == OperandType::TENSOR_OEM_BYTE;
}

/// Nothing for types whose values have any length.
Result<std::optional<std::uint32_t>> valueBytes(const Operand& operand) {
    if (driver::isExtension(operand.type) || isOem(operand.type)) {
        return std::nullopt;
    }
    const auto bytes = driver::sizeOfData(operand.type, operand.dimensions);
    if (!bytes) {
        return badData("{} has no size: its shape is not fully known, or takes 4 GiB and more",
                       toString(operand.type));
    }
    return *bytes;
}

}  // namespace

Result<void> Model::checkIsOpen() const {
    if (state_ != State::kOpen) {
        return badState("model is {}", state_ == State::kFinished ? "finished" : "invalid");
    }
    return {};
}

Result<std::size_t> Model::changeable(std::int32_t index) const {
    VNPU_TRY(checkIsOpen());
    if (index < 0 || static_cast<std::size_t>(index) >= operands_.size()) {
        return badData("no operand {}, the model has {}", index, operands_.size());
    }
    return static_cast<std::size_t>(index);
}

Result<std::size_t> Model::constantOf(std::int32_t index, std::size_t length) const {
    VNPU_TRY_ASSIGN(const std::size_t i, changeable(index));
    const Operand& operand = operands_[i];
    if (operand.type == OperandType::SUBGRAPH || isWritten_[i] ||
        operand.lifetime == OperandLifeTime::SUBGRAPH_INPUT ||
        operand.lifetime == OperandLifeTime::SUBGRAPH_OUTPUT) {
        return badData("operand {} cannot be a constant: it is a model, an input, or written", i);
    }
    VNPU_TRY_ASSIGN(const auto expected, valueBytes(operand));
    if ((expected && *expected != length) || length > std::numeric_limits<std::uint32_t>::max()) {
        return badData("value of operand {} has {} bytes, expected {}", i, length,
                       expected ? *expected : std::numeric_limits<std::uint32_t>::max());
    }
    return i;
}

void Model::setLifetime(std::size_t index, OperandLifeTime lifetime, Value value) {
    operands_[index].lifetime = lifetime;
    operands_[index].location = {};
    values_[index] = std::move(value);
}

nn::V1_3::Model Model::extensionsOnly() const {
    nn::V1_3::Model model;
    model.extensionNameToPrefix.resize(extensions_.size());
    for (std::size_t i = 0; i < extensions_.size(); ++i) {
        model.extensionNameToPrefix[i] = {extensions_[i], static_cast<std::uint16_t>(i + 1)};
    }
    return model;
}

Result<void> Model::addOperand(const ANeuralNetworksOperandType& type) {
    VNPU_TRY(checkIsOpen());
    if (type.dimensionCount > kMostDimensions) {
        return badData("operand has {} dimensions, expected at most {}", type.dimensionCount,
                       kMostDimensions);
    }
    Operand operand;
    operand.type = static_cast<OperandType>(type.type);
    operand.dimensions = Dimensions(type.dimensions, type.dimensions + type.dimensionCount);
    operand.scale = type.scale;
    operand.zeroPoint = type.zeroPoint;
    VNPU_TRY(asBadData(driver::checkOperandType(operand, extensionsOnly()), "operand {}",
                       operands_.size()));
    const auto facts = driver::factsOf(operand.type);
    const bool isKnown = std::find(operand.dimensions.begin(), operand.dimensions.end(), 0U) ==
                         operand.dimensions.end();
    if (facts && facts->elementBytes != 0 && operand.dimensions.size() != 0 && isKnown &&
        !driver::sizeOfData(operand.type, operand.dimensions)) {
        return badData("operand {} takes 4 GiB or more", operands_.size());
    }
    if (operand.type == OperandType::SUBGRAPH && operand.dimensions.size() != 0) {
        return badData("operand {} is a model and has dimensions", operands_.size());
    }
    operands_.push_back(std::move(operand));
    values_.emplace_back();
    isWritten_.push_back(false);
    return {};
}

Result<void> Model::setValue(std::int32_t index, const void* value, std::size_t length) {
    if (value == nullptr) {
        VNPU_TRY_ASSIGN(const std::size_t i, changeable(index));
        if (isWritten_[i] || operands_[i].lifetime == OperandLifeTime::SUBGRAPH_INPUT ||
            operands_[i].lifetime == OperandLifeTime::SUBGRAPH_OUTPUT ||
            operands_[i].type == OperandType::SUBGRAPH) {
            return badData("operand {} cannot be absent: it is a model, an input, or written", i);
        }
        setLifetime(i, OperandLifeTime::NO_VALUE, {});
        return {};
    }
    VNPU_TRY_ASSIGN(const std::size_t i, constantOf(index, length));
    const std::span bytes(static_cast<const std::uint8_t*>(value), length);
    if (length <= ANEURALNETWORKS_MAX_SIZE_OF_IMMEDIATELY_COPIED_VALUES) {
        setLifetime(i, OperandLifeTime::CONSTANT_COPY,
                    {.copy = std::vector<std::uint8_t>(bytes.begin(), bytes.end())});
    } else {
        setLifetime(i, OperandLifeTime::CONSTANT_REFERENCE, {.inPlace = bytes});
    }
    return {};
}

Result<void> Model::setValueFromMemory(std::int32_t index, const SharedMemory& memory,
                                       std::size_t offset, std::size_t length) {
    VNPU_TRY_ASSIGN(const std::size_t i, constantOf(index, length));
    if (memory->image() || memory->roles() != nullptr) {
        return badData("value of operand {} is in an image or a memory from a description", i);
    }
    if (offset > memory->sizeBytes() || length > memory->sizeBytes() - offset ||
        offset > std::numeric_limits<std::uint32_t>::max()) {
        return badData("value of operand {} lies at {} with {} bytes, the memory has {}", i, offset,
                       length, memory->sizeBytes());
    }
    setLifetime(i, OperandLifeTime::CONSTANT_REFERENCE, {.memory = memory, .memoryOffset = offset});
    operands_[i].location.length = static_cast<std::uint32_t>(length);
    return {};
}

Result<void> Model::setValueFromModel(std::int32_t index, const Model& value) {
    VNPU_TRY_ASSIGN(const std::size_t i, changeable(index));
    if (operands_[i].type != OperandType::SUBGRAPH) {
        return badData("operand {} is a {}, expected a model", i, toString(operands_[i].type));
    }
    if (value.graph_ == nullptr) {
        return badState("model for operand {} is not finished", i);
    }
    if (value.graph_->depth >= kMostDepth) {
        return badData("models are {} deep inside each other, expected at most {}",
                       value.graph_->depth, kMostDepth);
    }
    setLifetime(i, OperandLifeTime::SUBGRAPH, {.graph = value.graph_});
    return {};
}

Result<void> Model::setChannelScales(std::int32_t index,
                                     const ANeuralNetworksSymmPerChannelQuantParams& scales) {
    VNPU_TRY_ASSIGN(const std::size_t i, changeable(index));
    Operand& operand = operands_[i];
    if (operand.type != OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        return badData("operand {} is a {}, which has no scales of channels", i,
                       toString(operand.type));
    }
    if (scales.channelDim >= operand.dimensions.size() ||
        operand.dimensions[scales.channelDim] != scales.scaleCount) {
        return badData("operand {} gets {} scales for dimension {}, which it does not have", i,
                       scales.scaleCount, scales.channelDim);
    }
    Operand changed = operand;
    changed.extraParams.channelQuant(
            {.scales = std::vector<float>(scales.scales, scales.scales + scales.scaleCount),
             .channelDim = scales.channelDim});
    VNPU_TRY(asBadData(driver::checkChannelScales(changed), "operand {}", i));
    operand = std::move(changed);
    return {};
}

Result<void> Model::setExtensionData(std::int32_t index, std::span<const std::uint8_t> data) {
    VNPU_TRY_ASSIGN(const std::size_t i, changeable(index));
    if (!driver::isExtension(operands_[i].type)) {
        return badData("operand {} is a {}, which no extension has", i,
                       toString(operands_[i].type));
    }
    operands_[i].extraParams = {};
    if (!data.empty()) {
        operands_[i].extraParams.extension(std::vector<std::uint8_t>(data.begin(), data.end()));
    }
    return {};
}

Result<void> Model::checkIndexes(Indexes indexes, const char* what) const {
    for (const std::uint32_t index : indexes) {
        if (index >= operands_.size()) {
            return badData("{} {} is no operand, the model has {}", what, index, operands_.size());
        }
    }
    return {};
}

Result<void> Model::checkOutputs(Indexes outputs) const {
    std::set<std::uint32_t> seen;
    for (const std::uint32_t output : outputs) {
        const OperandLifeTime lifetime = operands_[output].lifetime;
        if (isWritten_[output] || !seen.insert(output).second ||
            (lifetime != OperandLifeTime::TEMPORARY_VARIABLE &&
             lifetime != OperandLifeTime::SUBGRAPH_OUTPUT)) {
            return badData("output {} is written twice, or has a value already", output);
        }
    }
    return {};
}

Result<void> Model::checkSignature(const Operation& operation) const {
    FinishedModel joined;
    nn::V1_3::Model model = extensionsOnly();
    std::vector<Operand> operands = operands_;
    if (operation.type == OperationType::IF || operation.type == OperationType::WHILE) {
        ModelGraph graph;
        VNPU_TRY(placeValues(graph, operands));
        graph.subgraph.operands = operands;
        joined = joinGraphs(graph);
        model.referenced = joined.hal.referenced;
        operands = joined.hal.main.operands;
    }
    for (const std::uint32_t input : operation.inputs) {
        const Operand& operand = operands[input];
        if (operand.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
            VNPU_TRY(asBadData(driver::checkChannelScales(operand), "operand {}", input));
        }
        if (operand.type == OperandType::SUBGRAPH &&
            operand.lifetime != OperandLifeTime::SUBGRAPH) {
            return badData("operand {} has no model", input);
        }
    }
    for (const std::uint32_t output : operation.outputs) {
        if (operands[output].type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL ||
            operands[output].type == OperandType::SUBGRAPH) {
            return badData("output {} is a {}", output, toString(operands[output].type));
        }
    }
    nn::V1_3::Subgraph subgraph;
    subgraph.operands.setToExternal(operands.data(), operands.size());
    return asBadData(driver::checkOperation(operation, subgraph, model, driver::HalVersion::k13),
                     "operation {} ({})", operations_.size(), toString(operation.type));
}

Result<void> Model::addOperation(std::int32_t type, Indexes inputs, Indexes outputs) {
    VNPU_TRY(checkIsOpen());
    if (inputs.empty() || outputs.empty()) {
        return badData("operation {} has {} inputs and {} outputs, expected one of each at least",
                       type, inputs.size(), outputs.size());
    }
    VNPU_TRY(checkIndexes(inputs, "input"));
    VNPU_TRY(checkIndexes(outputs, "output"));
    VNPU_TRY(checkOutputs(outputs));
    Operation operation;
    operation.type = static_cast<OperationType>(type);
    operation.inputs = std::vector<std::uint32_t>(inputs.begin(), inputs.end());
    operation.outputs = std::vector<std::uint32_t>(outputs.begin(), outputs.end());
    VNPU_TRY(checkSignature(operation));
    for (const std::uint32_t output : outputs) {
        isWritten_[output] = true;
    }
    operations_.push_back(std::move(operation));
    return {};
}

Result<void> Model::identify(Indexes inputs, Indexes outputs) {
    VNPU_TRY(checkIsOpen());
    if (!outputs_.empty()) {
        return badData("inputs and outputs have been identified already");
    }
    if (outputs.empty()) {
        return badData("model gets no outputs");
    }
    VNPU_TRY(checkIndexes(inputs, "input"));
    VNPU_TRY(checkIndexes(outputs, "output"));
    std::set<std::uint32_t> seen;
    const auto checkEach = [&](Indexes indexes, bool mayBeWritten) -> Result<void> {
        for (const std::uint32_t index : indexes) {
            if (operands_[index].lifetime != OperandLifeTime::TEMPORARY_VARIABLE ||
                (isWritten_[index] && !mayBeWritten) ||
                operands_[index].type == OperandType::SUBGRAPH || !seen.insert(index).second) {
                return badData(
                        "operand {} cannot be an input or output: it is a constant or a model, "
                        "is named twice, or is an input that an operation writes",
                        index);
            }
        }
        return {};
    };
    VNPU_TRY(checkEach(inputs, false));
    VNPU_TRY(checkEach(outputs, true));
    for (const std::uint32_t input : inputs) {
        operands_[input].lifetime = OperandLifeTime::SUBGRAPH_INPUT;
    }
    for (const std::uint32_t output : outputs) {
        operands_[output].lifetime = OperandLifeTime::SUBGRAPH_OUTPUT;
    }
    inputs_.assign(inputs.begin(), inputs.end());
    outputs_.assign(outputs.begin(), outputs.end());
    return {};
}

Result<void> Model::relax(bool isAllowed) {
    VNPU_TRY(checkIsOpen());
    isRelaxed_ = isAllowed;
    return {};
}

Result<std::uint16_t> Model::extensionPrefix(const std::string& name) {
    VNPU_TRY(checkIsOpen());
    const auto known = std::find(extensions_.begin(), extensions_.end(), name);
    const auto index = static_cast<std::size_t>(known - extensions_.begin());
    if (known == extensions_.end()) {
        if (extensions_.size() >= std::numeric_limits<std::int16_t>::max()) {
            return badData("model uses {} extensions already", extensions_.size());
        }
        extensions_.push_back(name);
    }
    return static_cast<std::uint16_t>(index + 1);
}

}  // namespace vnpu::sim::ndk
