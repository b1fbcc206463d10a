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

std::uint32_t ValidModelBuilder::add(OperandType type, const Dimensions& dimensions,
                                     OperandLifeTime lifetime, float scale,
                                     std::int32_t zeroPoint) {
    return ModelBuilder::add({type, dimensions, scale, zeroPoint}, lifetime);
}

std::uint32_t ValidModelBuilder::input(OperandType type, const Dimensions& dimensions) {
    return add(type, dimensions, OperandLifeTime::SUBGRAPH_INPUT, usualScale(type));
}

std::uint32_t ValidModelBuilder::output(OperandType type, const Dimensions& dimensions) {
    return add(type, dimensions, OperandLifeTime::SUBGRAPH_OUTPUT, usualScale(type));
}

std::uint32_t ValidModelBuilder::temporary(OperandType type, const Dimensions& dimensions) {
    return add(type, dimensions, OperandLifeTime::TEMPORARY_VARIABLE, usualScale(type));
}

std::uint32_t ValidModelBuilder::constant(OperandType type, const Dimensions& dimensions,
                                          float scale, bool isInPool) {
    std::uint32_t bytes = elementBytes(type);
    for (const std::uint32_t dimension : dimensions) {
        bytes *= dimension;
    }
    const TensorSpec spec{type, dimensions, scale};
    return isInPool ? pooled(spec, Bytes(bytes)) : ModelBuilder::constant(spec, Bytes(bytes));
}

std::vector<std::uint32_t> ValidModelBuilder::integers(std::size_t count) {
    std::vector<std::uint32_t> indexes;
    for (std::size_t i = 0; i < count; ++i) {
        indexes.push_back(scalar(OperandType::INT32));
    }
    return indexes;
}

Model ValidModelBuilder::build() const {
    Model model = ModelBuilder::build();
    if (!pool().empty()) {
        model.pools = {android::hardware::hidl_memory("ashmem", nullptr, pool().size())};
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
