// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/quantization.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace vnpu::driver {
namespace {

constexpr std::int32_t kHalfQ31 = 1 << 30;  // 0.5 in Q31
constexpr float kInfinite = std::numeric_limits<float>::infinity();

float asFloat(std::int32_t bits) {
    return std::bit_cast<float>(bits);
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/ir/quantization");

TEST_CASE("powers of two have the mantissa one half") {
    CHECK(quantizeMultiplier(0.5) == QuantizedMultiplier{kHalfQ31, 0});
    CHECK(quantizeMultiplier(1.0) == QuantizedMultiplier{kHalfQ31, 1});
    CHECK(quantizeMultiplier(0.0625) == QuantizedMultiplier{kHalfQ31, -3});
}

TEST_CASE("a mantissa is rounded to the nearest of 2^31 steps") {
    // 0.75 = 3 * 2^29 / 2^31
    CHECK(quantizeMultiplier(0.75) == QuantizedMultiplier{3 << 29, 0});
    // 1/3 = 0.6666... / 2; two thirds of 2^31 is 1431655765.33
    CHECK(quantizeMultiplier(1.0 / 3.0) == QuantizedMultiplier{1431655765, -1});
}

TEST_CASE("a mantissa that rounds up to one moves to the next exponent") {
    const double justBelowOne = 1.0 - std::ldexp(1.0, -40);
    CHECK(quantizeMultiplier(justBelowOne) == QuantizedMultiplier{kHalfQ31, 1});
}

TEST_CASE("factors below 2^-32 become zero, those above 2^30 saturate") {
    CHECK(quantizeMultiplier(0.0) == QuantizedMultiplier{0, 0});
    CHECK(quantizeMultiplier(std::ldexp(0.5, -31)) == QuantizedMultiplier{kHalfQ31, -31});
    CHECK(quantizeMultiplier(std::ldexp(0.5, -32)) == QuantizedMultiplier{0, 0});
    CHECK(quantizeMultiplier(std::ldexp(0.5, 30)) == QuantizedMultiplier{kHalfQ31, 30});
    CHECK(quantizeMultiplier(std::ldexp(0.5, 31)) == QuantizedMultiplier{0x7FFFFFFF, 30});
}

TEST_CASE("activation ranges are the stored values of the real bounds") {
    using hw::ElementType;
    CHECK(activationRange(Activation::kNone, ElementType::kUint8, 0.1F, 3) == ClampRange{0, 255});
    CHECK(activationRange(Activation::kNone, ElementType::kInt8, 0.1F, 3) == ClampRange{-128, 127});
    CHECK(activationRange(Activation::kRelu, ElementType::kUint8, 0.5F, 40) == ClampRange{40, 255});
    // -1 / 0.25 = -4 and 1 / 0.25 = 4
    CHECK(activationRange(Activation::kRelu1, ElementType::kInt8, 0.25F, -100) ==
          ClampRange{-104, -96});
    // 6 / 0.0625 = 96
    CHECK(activationRange(Activation::kRelu6, ElementType::kInt8, 0.0625F, -128) ==
          ClampRange{-128, -32});
}

TEST_CASE("activation ranges end at the type's range, however small the scale") {
    CHECK(activationRange(Activation::kRelu6, hw::ElementType::kUint8, 1e-30F, 10) ==
          ClampRange{10, 255});
    CHECK(activationRange(Activation::kRelu1, hw::ElementType::kInt8, 1e-6F, 0) ==
          ClampRange{-128, 127});
}

TEST_CASE("float ranges hold the bits of the bounds") {
    const ClampRange range = activationRange(Activation::kRelu6, hw::ElementType::kFloat32, 0, 0);
    CHECK(asFloat(range.min) == 0.0F);
    CHECK(asFloat(range.max) == 6.0F);
    const ClampRange open = activationRange(Activation::kNone, hw::ElementType::kFloat32, 0, 0);
    CHECK(asFloat(open.min) == -kInfinite);
    CHECK(asFloat(open.max) == kInfinite);
}

TEST_CASE("two clamps in a row meet, or end at the second's nearest end") {
    using hw::ElementType;
    CHECK(intersect(ElementType::kUint8, {10, 200}, {50, 255}) == ClampRange{50, 200});
    CHECK(intersect(ElementType::kUint8, {10, 20}, {50, 255}) == ClampRange{50, 50});
    const ClampRange one = activationRange(Activation::kRelu1, ElementType::kFloat32, 0, 0);
    const ClampRange relu = activationRange(Activation::kRelu, ElementType::kFloat32, 0, 0);
    CHECK(asFloat(intersect(ElementType::kFloat32, one, relu).min) == 0.0F);
    CHECK(asFloat(intersect(ElementType::kFloat32, one, relu).max) == 1.0F);
}

TEST_CASE("a convolution scales by input times filter over output scale") {
    // 0.5 * 0.25 / 2 = 1/16
    CHECK(productMultiplier(0.5F, 0.25F, 2.0F) == QuantizedMultiplier{kHalfQ31, -3});
}

TEST_CASE("the product of the scales is formed in double precision, not in float first") {
    // 13421773^2 / 10066330 * 2^6 = 1145324600.9; with the product rounded to float 1145324647.8
    CHECK(productMultiplier(0.1F, 0.2F, 0.3F) == QuantizedMultiplier{1145324601, -3});
}

TEST_CASE("ADD brings both operands to twice the larger scale") {
    const AddMultipliers add = addMultipliers(0.5F, 0.125F, 1.0F);
    CHECK(add.input[0] == QuantizedMultiplier{kHalfQ31, 0});   // 0.5 / 1
    CHECK(add.input[1] == QuantizedMultiplier{kHalfQ31, -2});  // 0.125 / 1
    CHECK(add.output == QuantizedMultiplier{kHalfQ31, -19});   // 1 / 2^20
}

TEST_CASE("MUL scales by the product of the scales over the output's") {
    CHECK(productMultiplier(0.5F, 0.75F, 0.5F) == QuantizedMultiplier{3 << 29, 0});
}

TEST_CASE("softmax carries differences with five integer bits") {
    // 1 * 0.5 * 2^26 = 0.5 * 2^26: mantissa one half, shift 26; radius 31 * 2^26 / 2^26
    const SoftmaxParameters plain = softmaxParameters(1.0F, 0.5F);
    CHECK(plain.multiplier == kHalfQ31);
    CHECK(plain.leftShift == 26);
    CHECK(plain.diffMin == -31);
    // 0.1 * 2^26 = 6710886.4 (about) = 0.8 * 2^23; radius 31 * 8
    const SoftmaxParameters small = softmaxParameters(1.0F, 0.1F);
    CHECK(small.leftShift == 23);
    CHECK(small.diffMin == -248);
}

TEST_CASE("softmax saturates large factors and keeps tiny ones without a right shift") {
    const SoftmaxParameters large = softmaxParameters(1000.0F, 1.0F);
    CHECK(large.leftShift == 31);
    CHECK(large.diffMin == 0);
    const SoftmaxParameters tiny = softmaxParameters(1e-6F, 1e-6F);
    CHECK(tiny.leftShift == 0);
    // 1e-12 * 2^26 * 2^31 = 144115.188 (float scales: within one part in 10^6)
    CHECK(std::abs(tiny.multiplier - 144115) <= 1);
}

TEST_CASE("the logistic table is indexed by the stored byte") {
    const auto table = logisticTable(hw::ElementType::kInt8, 0.1F, 5, -128);
    CHECK(table.size() == 256);
    CHECK(static_cast<std::int8_t>(table[5]) == 0);  // logistic(0) = 1/2 = 128 steps
    // stored -1: (-1 - 5) * 0.1 = -0.6; 256 / (1 + e^0.6) = 90.71
    CHECK(static_cast<std::int8_t>(table[0xFF]) == 91 - 128);
    // stored -128: -13.3; 256 * 1.67e-6 rounds to 0
    CHECK(static_cast<std::int8_t>(table[0x80]) == -128);
}

TEST_SUITE_END();

}  // namespace vnpu::driver
