// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/support/fixed_point.h"

#include <doctest/doctest.h>

#include <limits>

#include "tests/hw_model/kernels/tile_memory.h"
#include "tests/support/quantization.h"

namespace vnpu::test {
namespace {

using namespace hw::kernels;

constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();

// A random number; limits of the range are more frequent than by chance.
std::int32_t anyInteger(Random& random) {
    switch (random.between(0, 5)) {
        case 0:
            return random.pick<std::int32_t>(kLeast, kLeast + 3);
        case 1:
            return random.pick<std::int32_t>(kMost - 3, kMost);
        case 2:
            return random.pick<std::int32_t>(-5, 5);
        case 3:
            return random.pick<std::int32_t>(-1, 1) * (1 << random.between(0, 30));
        default:
            return random.pick<std::int32_t>(kLeast, kMost);
    }
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/fixed_point");

TEST_CASE("the high multiply is floor(a*b/2^31 + 1/2) of the wide product [E-2]") {
    Random random(1);
    for (int i = 0; i < 20'000; ++i) {
        const std::int32_t a = anyInteger(random);
        const std::int32_t b = anyInteger(random);
        // Floor division: the quotient of the wide sum, reduced by one for a negative remainder.
        const std::int64_t sum = std::int64_t{a} * b + (std::int64_t{1} << 30);
        const std::int64_t divisor = std::int64_t{1} << 31;
        std::int64_t expected = sum / divisor;
        expected -= sum % divisor < 0 ? 1 : 0;
        expected = expected > kMost ? kMost : expected;
        REQUIRE(roundingDoublingHighMultiply(a, b) == expected);
    }
}

TEST_CASE("the high multiply rounds ties up and saturates its only overflow [E-2]") {
    CHECK(roundingDoublingHighMultiply(1, 1 << 30) == 1);    // +1/2
    CHECK(roundingDoublingHighMultiply(-1, 1 << 30) == 0);   // -1/2
    CHECK(roundingDoublingHighMultiply(-3, 1 << 30) == -1);  // -3/2
    CHECK(roundingDoublingHighMultiply(kLeast, kLeast) == kMost);
    CHECK(roundingDoublingHighMultiply(kLeast, kMost) == -kMost);
}

TEST_CASE("the division by a power of two rounds ties away from zero [E-2]") {
    Random random(2);
    for (int i = 0; i < 20'000; ++i) {
        const std::int32_t x = anyInteger(random);
        const int exponent = random.pick<int>(0, 31);
        REQUIRE(roundingDivideByPowerOfTwo(x, exponent) ==
                divideByPowerOfTwoAwayFromZero(x, exponent));
    }
    CHECK(roundingDivideByPowerOfTwo(-3, 1) == -2);
    CHECK(roundingDivideByPowerOfTwo(3, 1) == 2);
}

TEST_CASE("the quantized multiply is both roundings after a wrapping left shift [E-2]") {
    Random random(3);
    for (int i = 0; i < 20'000; ++i) {
        const std::int32_t x = anyInteger(random);
        const std::int32_t multiplier = anyInteger(random);
        const auto shift = random.pick<std::int32_t>(-31, 31);
        CAPTURE(x);
        CAPTURE(multiplier);
        CAPTURE(shift);
        REQUIRE(multiplyByQuantizedMultiplier(x, multiplier, shift) ==
                scaleTwiceRounded(x, multiplier, shift));
    }
}

TEST_CASE("a shift beyond its range is clamped [E-2]") {
    CHECK(multiplyByQuantizedMultiplier(12345, 1 << 30, -100) ==
          multiplyByQuantizedMultiplier(12345, 1 << 30, -31));
    CHECK(multiplyByQuantizedMultiplier(12345, 1 << 30, 100) ==
          multiplyByQuantizedMultiplier(12345, 1 << 30, 31));
}

TEST_CASE("the division by a count rounds ties away from zero [E-2]") {
    CHECK(roundingDivide(7, 2) == 4);
    CHECK(roundingDivide(-7, 2) == -4);
    CHECK(roundingDivide(7, 3) == 2);
    CHECK(roundingDivide(8, 3) == 3);
    CHECK(roundingDivide(-8, 3) == -3);
    CHECK(roundingDivide(0, 9) == 0);
}

TEST_SUITE_END();

}  // namespace vnpu::test
