// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/validation/valid_models.h"

#include <doctest/doctest.h>

namespace vnpu::driver::test {

namespace {

std::uint32_t elementBytes(OperandType type) {
    switch (type) {
        case OperandType::FLOAT32:
        case OperandType::INT32:
        case OperandType::UINT32:
        case OperandType::TENSOR_FLOAT32:
        case OperandType::TENSOR_INT32:
            return 4;
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
        case OperandType::TENSOR_QUANT16_SYMM:
        case OperandType::TENSOR_QUANT16_ASYMM:
            return 2;
        default:
            return 1;
    }
}

}  // namespace

float usualScale(OperandType type) {
    switch (type) {
        case OperandType::TENSOR_QUANT8_ASYMM:
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT16_SYMM:
        case OperandType::TENSOR_QUANT16_ASYMM:
            return 0.5F;
        default:
            return 0.0F;
    }
}

std::uint32_t ValidModelBuilder::add(OperandType type, const std::vector<std::uint32_t>& dimensions,
                                     OperandLifeTime lifetime, float scale,
                                     std::int32_t zeroPoint) {
    Operand operand;
    operand.type = type;
    operand.dimensions = dimensions;
    operand.scale = scale;
    operand.zeroPoint = zeroPoint;
    operand.lifetime = lifetime;
    operands_.push_back(operand);
    return static_cast<std::uint32_t>(operands_.size() - 1);
}

std::uint32_t ValidModelBuilder::input(OperandType type,
                                       const std::vector<std::uint32_t>& dimensions) {
    return add(type, dimensions, OperandLifeTime::SUBGRAPH_INPUT, usualScale(type));
}

std::uint32_t ValidModelBuilder::output(OperandType type,
                                        const std::vector<std::uint32_t>& dimensions) {
    return add(type, dimensions, OperandLifeTime::SUBGRAPH_OUTPUT, usualScale(type));
}

std::uint32_t ValidModelBuilder::temporary(OperandType type,
                                           const std::vector<std::uint32_t>& dimensions) {
    return add(type, dimensions, OperandLifeTime::TEMPORARY_VARIABLE, usualScale(type));
}

std::uint32_t ValidModelBuilder::constant(OperandType type,
                                          const std::vector<std::uint32_t>& dimensions, float scale,
                                          bool isInPool) {
    const std::uint32_t index = add(
            type, dimensions,
            isInPool ? OperandLifeTime::CONSTANT_REFERENCE : OperandLifeTime::CONSTANT_COPY, scale);
    std::uint32_t bytes = elementBytes(type);
    for (const std::uint32_t dimension : dimensions) {
        bytes *= dimension;
    }
    std::uint32_t& used = isInPool ? pooledBytes_ : copiedBytes_;
    operands_[index].location = {.poolIndex = 0, .offset = used, .length = bytes};
    used += bytes;
    return index;
}

std::vector<std::uint32_t> ValidModelBuilder::integers(std::size_t count) {
    std::vector<std::uint32_t> indexes;
    for (std::size_t i = 0; i < count; ++i) {
        indexes.push_back(scalar(OperandType::INT32));
    }
    return indexes;
}

void ValidModelBuilder::operation(OperationType type, const std::vector<std::uint32_t>& inputs,
                                  const std::vector<std::uint32_t>& outputs) {
    for (const std::uint32_t index : inputs) {
        ++operands_.at(index).numberOfConsumers;
    }
    operations_.push_back({.type = type, .inputs = inputs, .outputs = outputs});
}

Model ValidModelBuilder::build() const {
    Model model;
    std::vector<std::uint32_t> inputs;
    std::vector<std::uint32_t> outputs;
    for (std::uint32_t i = 0; i < operands_.size(); ++i) {
        if (operands_[i].lifetime == OperandLifeTime::SUBGRAPH_INPUT) {
            inputs.push_back(i);
        } else if (operands_[i].lifetime == OperandLifeTime::SUBGRAPH_OUTPUT) {
            outputs.push_back(i);
        }
    }
    model.main.operands = operands_;
    model.main.operations = operations_;
    model.main.inputIndexes = inputs;
    model.main.outputIndexes = outputs;
    model.operandValues.resize(copiedBytes_);
    if (pooledBytes_ > 0) {
        model.pools = {android::hardware::hidl_memory("ashmem", nullptr, pooledBytes_)};
    }
    return model;
}

Model convolutionModel() {
    ValidModelBuilder builder;
    builder.input(OperandType::TENSOR_QUANT8_ASYMM, {1, 4, 4, 2});
    builder.constant(OperandType::TENSOR_QUANT8_ASYMM, {3, 1, 1, 2}, 0.25F);
    builder.constant(OperandType::TENSOR_INT32, {3}, 0.125F, true);
    builder.integers(4);
    builder.temporary(OperandType::TENSOR_QUANT8_ASYMM, {1, 4, 4, 3});
    builder.output(OperandType::TENSOR_QUANT8_ASYMM, {1, 4, 4, 3});
    builder.operation(OperationType::CONV_2D, {0, 1, 2, 3, 4, 5, 6}, {kConvMiddle});
    builder.operation(OperationType::RELU, {kConvMiddle}, {kConvOutput});
    return builder.build();
}

Model additionModel() {
    ValidModelBuilder builder;
    builder.input(OperandType::TENSOR_FLOAT32, {2, 3});
    builder.input(OperandType::TENSOR_FLOAT32, {2, 3});
    builder.integers(1);
    builder.output(OperandType::TENSOR_FLOAT32, {2, 3});
    builder.operation(OperationType::ADD, {0, 1, 2}, {kAddOutput});
    return builder.build();
}

void checkInvalid(const Model& model, const std::string& reason) {
    const auto result = validateModel(model);
    REQUIRE_FALSE(result.has_value());
    CHECK_EQ(result.error().status, ErrorStatus::INVALID_ARGUMENT);
    INFO("expected: ", reason, ", got: ", result.error().reason);
    CHECK_NE(result.error().reason.find(reason), std::string::npos);
}

void checkValid(const Model& model) {
    const auto result = validateModel(model);
    const std::string reason = result.has_value() ? "" : result.error().reason;
    INFO(reason);
    CHECK(result.has_value());
}

}  // namespace vnpu::driver::test
