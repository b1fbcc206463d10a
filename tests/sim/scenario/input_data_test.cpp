// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/input_data.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using vnpu::sim::fillInput;
using vnpu::sim::Random;
using vnpu::sim::TensorDescription;

std::vector<std::byte> filled(OperandType type, std::size_t bytes, std::uint64_t seed = 1) {
    TensorDescription tensor;
    tensor.type = type;
    std::vector<std::byte> data(bytes);
    Random random(seed);
    fillInput(tensor, data, random);
    return data;
}

TEST_SUITE_BEGIN("sim/scenario/input_data");

TEST_CASE("quantized inputs use every byte value [E-4]") {
    const auto data = filled(OperandType::TENSOR_QUANT8_ASYMM, 16384);
    CHECK(std::set<std::byte>(data.begin(), data.end()).size() == 256);
}

TEST_CASE("float inputs lie between -1 and 1 [E-4]") {
    const auto data = filled(OperandType::TENSOR_FLOAT32, 4096);
    bool hasNegative = false;
    for (std::size_t i = 0; i < data.size(); i += 4) {
        float value = 0.0F;
        std::memcpy(&value, &data[i], 4);
        REQUIRE(std::fabs(value) <= 1.0F);
        hasNegative |= value < 0.0F;
    }
    CHECK(hasNegative);
}

TEST_CASE("half precision inputs lie between -1 and 1 [E-4]") {
    const auto data = filled(OperandType::TENSOR_FLOAT16, 4096);
    for (std::size_t i = 0; i < data.size(); i += 2) {
        std::uint16_t half = 0;
        std::memcpy(&half, &data[i], 2);
        const unsigned exponent = half >> 10 & 31U;
        REQUIRE(exponent <= 14);  // below 2^0
        REQUIRE(exponent >= 13);
    }
}

TEST_CASE("integer inputs are small and nonnegative [E-4]") {
    const auto data = filled(OperandType::TENSOR_INT32, 4096);
    for (std::size_t i = 0; i < data.size(); i += 4) {
        std::int32_t value = 0;
        std::memcpy(&value, &data[i], 4);
        REQUIRE(value >= 0);
        REQUIRE(value < 8);
    }
}

TEST_CASE("boolean inputs are 0 or 1 [E-4]") {
    const auto data = filled(OperandType::TENSOR_BOOL8, 64);
    const std::set<std::byte> values(data.begin(), data.end());
    CHECK(values == std::set<std::byte>{std::byte{0}, std::byte{1}});
}

TEST_CASE("inputs depend on the seed [E-4]") {
    CHECK(filled(OperandType::TENSOR_QUANT8_ASYMM, 64, 1) ==
          filled(OperandType::TENSOR_QUANT8_ASYMM, 64, 1));
    CHECK(filled(OperandType::TENSOR_QUANT8_ASYMM, 64, 1) !=
          filled(OperandType::TENSOR_QUANT8_ASYMM, 64, 2));
}

TEST_SUITE_END();

}  // namespace
