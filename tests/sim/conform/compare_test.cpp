// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/compare.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace {

using namespace vnpu::sim;
using Type = nn::OperandType;

template <typename T>
std::vector<std::byte> bytesOf(const std::vector<T>& values) {
    const auto view = std::as_bytes(std::span(values));
    return {view.begin(), view.end()};
}

template <typename T>
ExampleOperand expected(Type type, const std::vector<T>& values) {
    ExampleOperand operand;
    operand.type = type;
    operand.dimensions = {static_cast<std::uint32_t>(values.size())};
    operand.data = bytesOf(values);
    return operand;
}

template <typename T>
bool passes(Type type, T want, T have, bool loose = false) {
    return !compareResult(expected<T>(type, {want}), bytesOf(std::vector<T>{have}), loose);
}

}  // namespace

TEST_SUITE_BEGIN("sim/conform/compare");

TEST_CASE("float32 passes within 1e-5 plus five steps of its precision") {
    CHECK(passes(Type::TENSOR_FLOAT32, 0.0F, 0.99e-5F));
    CHECK_FALSE(passes(Type::TENSOR_FLOAT32, 0.0F, 1.01e-5F));
    // 5 x 2^-23 x 1024 = 6.1e-4
    CHECK(passes(Type::TENSOR_FLOAT32, 1024.0F, 1024.0006F));
    CHECK_FALSE(passes(Type::TENSOR_FLOAT32, 1024.0F, 1024.0008F));
}

TEST_CASE("loose float32 and float16 pass within five steps of half precision") {
    // 5 x 2^-10 = 0.0048828125, absolute and relative
    CHECK(passes(Type::TENSOR_FLOAT32, 1.0F, 1.0097F, true));
    CHECK_FALSE(passes(Type::TENSOR_FLOAT32, 1.0F, 1.0099F, true));
    const std::uint16_t one = 0x3C00, above = 0x3C0A, far = 0x3C0B;  // 1, 1 + 10/1024, 1 + 11/1024
    CHECK(passes(Type::TENSOR_FLOAT16, one, above));
    CHECK_FALSE(passes(Type::TENSOR_FLOAT16, one, far));
}

TEST_CASE("a NaN or an infinity never passes") {
    CHECK_FALSE(passes(Type::TENSOR_FLOAT32, 0.0F, std::numeric_limits<float>::quiet_NaN()));
    CHECK_FALSE(passes(Type::TENSOR_FLOAT32, 1.0F, std::numeric_limits<float>::infinity(), true));
}

TEST_CASE("stored integers may be one off, signed and unsigned") {
    CHECK(passes<std::uint8_t>(Type::TENSOR_QUANT8_ASYMM, 128, 127));
    CHECK_FALSE(passes<std::uint8_t>(Type::TENSOR_QUANT8_ASYMM, 255, 1));
    CHECK(passes<std::int8_t>(Type::TENSOR_QUANT8_ASYMM_SIGNED, 0, -1));
    CHECK_FALSE(passes<std::int8_t>(Type::TENSOR_QUANT8_ASYMM_SIGNED, -128, 127));
    CHECK(passes<std::int32_t>(Type::TENSOR_INT32, -5, -4));
    CHECK_FALSE(passes<std::int32_t>(Type::TENSOR_INT32, -5, -3));
    CHECK(passes<std::uint16_t>(Type::TENSOR_QUANT16_ASYMM, 65535, 65534));
    CHECK_FALSE(passes<std::int16_t>(Type::TENSOR_QUANT16_SYMM, -1, 1));
}

TEST_CASE("booleans are equal if both are zero or both are not") {
    CHECK(passes<std::uint8_t>(Type::TENSOR_BOOL8, 1, 255));
    CHECK_FALSE(passes<std::uint8_t>(Type::TENSOR_BOOL8, 1, 0));
}

TEST_CASE("the first difference and the number of differences are reported") {
    const auto operand = expected<std::int32_t>(Type::TENSOR_INT32, {1, 2, 3, 4});
    const auto difference =
            compareResult(operand, bytesOf(std::vector<std::int32_t>{1, 7, 3, 9}), false);
    REQUIRE(difference.has_value());
    CHECK(difference->index == 1);
    CHECK(difference->count == 2);
    CHECK(difference->describe() == "element 1 is 7, expected 2 +- 1 (2 of 4 elements differ)");
}

TEST_CASE("an example is loose if relaxed or with a float16 tensor anywhere") {
    Example example;
    CHECK_FALSE(isLoose(example));
    example.referenced.emplace_back().operands.push_back(
            expected<std::uint16_t>(Type::TENSOR_FLOAT16, {0}));
    CHECK(isLoose(example));
    Example relaxed;
    relaxed.isRelaxed = true;
    CHECK(isLoose(relaxed));
}

TEST_CASE("multinomial draws are judged by their frequencies") {
    Example example;
    example.multinomialTolerance = 0.1;
    // Softmax of {0, ln 3} is {1/4, 3/4}.
    example.main.operands.push_back(expected<float>(Type::TENSOR_FLOAT32, {0.0F, std::log(3.0F)}));
    example.main.inputs = {0};
    CHECK(compareMultinomial(example, bytesOf(std::vector<std::int32_t>{1, 0, 1, 1})).empty());
    CHECK(compareMultinomial(example, bytesOf(std::vector<std::int32_t>{0, 0, 1, 1})) ==
          "class 0 is drawn with frequency 0.5, expected 0.25 +- 0.1");
    CHECK(compareMultinomial(example, bytesOf(std::vector<std::int32_t>{1, 2, 1, 1})) ==
          "sample 1 is class 2, expected 0 to 1");
}

TEST_CASE("multinomial draws without an input to compare with are an error, not a crash") {
    CHECK(compareMultinomial(Example{}, {}) == "there is no input to compare with");
}

TEST_SUITE_END();
