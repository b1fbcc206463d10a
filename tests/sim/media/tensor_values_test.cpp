// SPDX-License-Identifier: Apache-2.0
#include "sim/media/tensor_values.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "sim/base/error.h"
#include "tests/sim/media/media_files.h"

namespace vnpu::test {
namespace {

using sim::TensorDescription;
using sim::media::tensorBytes;
using Type = android::hardware::neuralnetworks::V1_3::OperandType;

TensorDescription tensorOf(Type type, float scale = 0.0F, std::int32_t zeroPoint = 0) {
    TensorDescription tensor;
    tensor.type = type;
    tensor.scale = scale;
    tensor.zeroPoint = zeroPoint;
    return tensor;
}

}  // namespace

TEST_SUITE_BEGIN("sim/media/tensor_values");

TEST_CASE("quantized values are rounded, halves to even, and clamped") {
    const auto unsignedByte = tensorOf(Type::TENSOR_QUANT8_ASYMM, 0.5F, 10);
    const std::vector<float> values = {0.0F, 0.25F, 0.75F, -1.0F, 1000.0F, -1000.0F};
    CHECK(tensorBytes(unsignedByte, values) == asBytes({10, 10, 12, 8, 255, 0}));
    const auto signedByte = tensorOf(Type::TENSOR_QUANT8_ASYMM_SIGNED, 1.0F, -128);
    CHECK(tensorBytes(signedByte, std::vector{0.0F, 255.0F, 400.0F}) ==
          asBytes({0x80, 0x7F, 0x7F}));
}

TEST_CASE("integers without a scale are the values; NaN is zero") {
    const std::vector<float> values = {3.4F, -1.0F, std::nanf(""), 1e20F};
    CHECK(tensorBytes(tensorOf(Type::TENSOR_INT32), values) ==
          FileBytes().numbers({3, -1, 0, std::numeric_limits<std::int32_t>::max()}, 4).bytes());
    CHECK(tensorBytes(tensorOf(Type::TENSOR_BOOL8), values) == asBytes({1, 1, 1, 1}));
}

TEST_CASE("float16 is rounded from float32") {
    CHECK(tensorBytes(tensorOf(Type::TENSOR_FLOAT16), std::vector{-2.5F, 65504.0F}) ==
          FileBytes().numbers({0xC100, 0x7BFF}, 2).bytes());
    CHECK(sim::media::halfToDouble(0x3C01) == 1.0009765625);
}

TEST_CASE("half precision is read according to IEEE 754") {
    using sim::media::halfToDouble;
    CHECK(halfToDouble(0x3C00) == 1.0);
    CHECK(halfToDouble(0xC000) == -2.0);
    CHECK(halfToDouble(0x7BFF) == 65504.0);
    CHECK(halfToDouble(0x0001) == 0x1.0p-24);
    CHECK(halfToDouble(0x0400) == 0x1.0p-14);
    CHECK(halfToDouble(0x8000) == 0.0);
    CHECK(std::isinf(halfToDouble(0x7C00)));
    CHECK(std::isnan(halfToDouble(0x7E00)));
}

TEST_CASE("an element is the number that is stored") {
    using sim::media::elementValue;
    const auto bytes = asBytes({0x01, 0x80, 0xFF, 0x00});
    CHECK(elementValue(Type::TENSOR_QUANT8_ASYMM, bytes, 2) == 255.0);
    CHECK(elementValue(Type::TENSOR_QUANT8_ASYMM_SIGNED, bytes, 2) == -1.0);
    CHECK(elementValue(Type::TENSOR_QUANT16_SYMM, bytes, 0) == -32767.0);
    CHECK(elementValue(Type::TENSOR_QUANT16_ASYMM, bytes, 1) == 255.0);
    CHECK(elementValue(Type::TENSOR_BOOL8, bytes, 2) == 1.0);
    CHECK(elementValue(Type::TENSOR_INT32, bytes, 0) == 16'744'449.0);
    CHECK(elementValue(Type::TENSOR_FLOAT32, asBytes({0, 0, 0, 0, 0, 0, 0x20, 0xC0}), 1) == -2.5);
}

TEST_CASE("a scalar is no tensor") {
    CHECK_THROWS_AS(tensorBytes(tensorOf(Type::FLOAT32), std::vector{1.0F}), sim::InputError);
}

TEST_SUITE_END();

}  // namespace vnpu::test
