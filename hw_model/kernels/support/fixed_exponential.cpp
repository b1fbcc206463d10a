// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/support/fixed_exponential.h"

#include <bit>
#include <limits>

#include "hw_model/kernels/support/fixed_point.h"

namespace vnpu::hw::kernels {
namespace {

// Raw values below are fixed point with the number of integer bits in their name: Q0 = raw / 2^31,
// Q2 = raw / 2^29, Q5 = raw / 2^26. The product of Qa and Qb is Qa+b, rounded as
// roundingDoublingHighMultiply does.
constexpr std::int32_t kOneQ0 = std::numeric_limits<std::int32_t>::max();

std::int32_t multiply(std::int32_t a, std::int32_t b) {
    return roundingDoublingHighMultiply(a, b);
}

// raw * 2^bits, saturating.
std::int32_t saturatingShiftLeft(std::int32_t raw, int bits) {
    const std::int64_t wide = static_cast<std::int64_t>(raw) * (1LL << bits);
    if (wide > std::numeric_limits<std::int32_t>::max()) {
        return std::numeric_limits<std::int32_t>::max();
    }
    if (wide < std::numeric_limits<std::int32_t>::min()) {
        return std::numeric_limits<std::int32_t>::min();
    }
    return static_cast<std::int32_t>(wide);
}

// e^x for x in [-1/4, 0), Q0 to Q0: e^(-1/8) * (1 + d + d^2/2 + d^3/6 + d^4/24) with d = x + 1/8.
std::int32_t exponentialWithinQuarter(std::int32_t x) {
    constexpr std::int32_t kExpOfMinusEighth = 1895147668;  // round(e^(-1/8) * 2^31)
    constexpr std::int32_t kThird = 715827883;              // round(2^31 / 3)
    constexpr std::int32_t kEighth = 1 << 28;
    const std::int32_t d = x + kEighth;
    const std::int32_t d2 = multiply(d, d);
    const std::int32_t d3 = multiply(d2, d);
    const std::int32_t d4 = multiply(d2, d2);
    const std::int32_t d4By4 = roundingDivideByPowerOfTwo(d4, 2);
    // d^4/24 + d^3/6 + d^2/2
    const std::int32_t higher = roundingDivideByPowerOfTwo(multiply(d4By4 + d3, kThird) + d2, 1);
    return kExpOfMinusEighth + multiply(kExpOfMinusEighth, d + higher);
}

}  // namespace

std::int32_t fixedExponential(std::int32_t raw) {
    constexpr int kIntegerBits = 5;
    constexpr int kFractionBits = 31 - kIntegerBits;
    constexpr std::int32_t kQuarter = 1 << (kFractionBits - 2);
    // round(e^(-2^(i-2)) * 2^31): one factor per bit of the number of quarters, lowest first.
    constexpr std::int32_t kFactors[] = {1672461947, 1302514674, 790015084, 290630308,
                                         39332535,   720401,     242};
    if (raw == 0) {
        return kOneQ0;
    }
    const std::int32_t withinQuarter = (raw & (kQuarter - 1)) - kQuarter;
    std::int32_t result =
            exponentialWithinQuarter(saturatingShiftLeft(withinQuarter, kIntegerBits));
    const auto quarters =
            static_cast<std::uint32_t>(wrappingSubtract(withinQuarter, raw)) >> (kFractionBits - 2);
    for (unsigned bit = 0; bit < 7; ++bit) {
        if (((quarters >> bit) & 1U) != 0) {
            result = multiply(result, kFactors[bit]);
        }
    }
    return result;
}

FixedReciprocal fixedReciprocal(std::int32_t sum, int sumIntegerBits) {
    constexpr std::int32_t kOneQ2 = 1 << 29;
    constexpr std::int32_t k48By17Q2 = 1515870810;        // round(48/17 * 2^29)
    constexpr std::int32_t kMinus32By17Q2 = -1010580540;  // round(-32/17 * 2^29)
    const auto bits = static_cast<std::uint32_t>(sum);
    const int headroom = std::countl_zero(bits);
    // sum = (1 + fraction) * 2^(sumIntegerBits - headroom), fraction in [0, 1) as Q0.
    const auto fraction =
            static_cast<std::int32_t>((headroom < 32 ? bits << headroom : 0U) - (1U << 31));
    // (1 + fraction) / 2, rounded.
    const auto half = static_cast<std::int32_t>(
            roundingDivide(static_cast<std::int64_t>(fraction) + kOneQ0, 2));
    // Newton-Raphson on 1/half, from the best linear start: x += x * (1 - half*x).
    std::int32_t x = k48By17Q2 + multiply(half, kMinus32By17Q2);
    for (int step = 0; step < 3; ++step) {
        const std::int32_t error = kOneQ2 - multiply(half, x);
        x += saturatingShiftLeft(multiply(x, error), 2);
    }
    // Q2 of 1/half is Q1 of 1/(1 + fraction); one more shift makes it Q0.
    return {.value = saturatingShiftLeft(x, 1), .integerBits = sumIntegerBits - headroom};
}

}  // namespace vnpu::hw::kernels
