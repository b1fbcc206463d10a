// SPDX-License-Identifier: Apache-2.0
#include "sim/models/operand_types.h"

#include <doctest/doctest.h>

#include <vector>

using namespace vnpu::sim;

TEST_SUITE_BEGIN("sim/models/operand_types");

TEST_CASE("element sizes are those of NNAPI 1.3") {
    CHECK(elementBytes(nn::OperandType::TENSOR_FLOAT32) == 4);
    CHECK(elementBytes(nn::OperandType::TENSOR_FLOAT16) == 2);
    CHECK(elementBytes(nn::OperandType::TENSOR_QUANT16_ASYMM) == 2);
    CHECK(elementBytes(nn::OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) == 1);
    CHECK(elementBytes(nn::OperandType::TENSOR_BOOL8) == 1);
    CHECK(elementBytes(nn::OperandType::SUBGRAPH) == 0);
}

TEST_CASE("element counts saturate and an unknown dimension gives zero") {
    CHECK(elementCount(std::vector<std::uint32_t>{}) == 1);
    CHECK(elementCount(std::vector<std::uint32_t>{2, 3, 4}) == 24);
    CHECK(elementCount(std::vector<std::uint32_t>{2, 0, 4}) == 0);
    const std::vector<std::uint32_t> huge(5, 0xFFFFFFFFU);
    CHECK(elementCount(huge) == UINT64_MAX);
    CHECK(operandBytes(nn::OperandType::TENSOR_FLOAT32, huge) == UINT64_MAX);
}

TEST_CASE("names are mapped to enumerators and back") {
    CHECK(operandTypeOf("TENSOR_QUANT8_ASYMM_SIGNED") ==
          nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED);
    CHECK(operationTypeOf("CONV_2D") == nn::OperationType::CONV_2D);
    CHECK(operandLifeTimeOf("SUBGRAPH_INPUT") == nn::OperandLifeTime::SUBGRAPH_INPUT);
    CHECK_FALSE(operandTypeOf("TENSOR_INT4").has_value());
    CHECK(nameOf(nn::OperandType::TENSOR_INT32) == "TENSOR_INT32");
    CHECK(nameOf(nn::ErrorStatus::MISSED_DEADLINE_TRANSIENT) == "MISSED_DEADLINE_TRANSIENT");
}

TEST_CASE("dimensions are printed in readable form") {
    CHECK(describeDimensions(std::vector<std::uint32_t>{1, 224, 224, 3}) == "1x224x224x3");
    CHECK(describeDimensions({}) == "scalar");
}

TEST_SUITE_END();
