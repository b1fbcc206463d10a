// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/support/fixed_exponential.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/hw_model/kernels/tile_memory.h"

namespace vnpu::test {
namespace {

using hw::kernels::fixedExponential;
using hw::kernels::FixedReciprocal;
using hw::kernels::fixedReciprocal;

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/fixed_exponential");

TEST_CASE("the fixed-point exponential equals e^x to six digits [E-2]") {
    Random random(6);
    for (int i = 0; i < 50'000; ++i) {
        const auto raw = random.pick<std::int32_t>(std::numeric_limits<std::int32_t>::min(), 0);
        const double exact = std::exp(std::ldexp(static_cast<double>(raw), -26));
        const double actual = std::ldexp(static_cast<double>(fixedExponential(raw)), -31);
        CAPTURE(raw);
        // Within the quarter the polynomial leaves out e^(-1/8) * (d^5/120 + d^6/720 + ...)
        // with |d| <= 1/8, at most 2.6e-7 * e^(-1/8), of a value of at least e^(-1/4): 2.95e-7
        // relative. Each of up to seven factors and of the polynomial's steps rounds by 2^-32.
        REQUIRE(std::abs(actual - exact) <= 2.95e-7 * exact + 8 * std::ldexp(1.0, -31));
    }
}

TEST_CASE("e^0 is the largest value below one [E-2]") {
    CHECK(fixedExponential(0) == std::numeric_limits<std::int32_t>::max());
}

TEST_CASE("the reciprocal equals 1/sum to eight digits [E-2]") {
    Random random(7);
    for (int i = 0; i < 50'000; ++i) {
        const auto sum =
                random.pick<std::int32_t>(1 << 19, std::numeric_limits<std::int32_t>::max());
        const FixedReciprocal reciprocal = fixedReciprocal(sum, 12);
        const double exact = 1.0 / std::ldexp(static_cast<double>(sum), -19);
        const double actual =
                std::ldexp(static_cast<double>(reciprocal.value), -31 - reciprocal.integerBits);
        CAPTURE(sum);
        // The best line for 1/d is off by 1/17 at most; each step squares that: 17^-8 is below
        // 2^-32. What remains is the rounding of three steps at 2^-29 each.
        REQUIRE(std::abs(actual - exact) <= exact * std::ldexp(1.0, -26));
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test
