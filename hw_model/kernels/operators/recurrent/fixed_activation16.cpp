// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/recurrent/fixed_activation16.h"

#include <algorithm>
#include <limits>

#include "hw_model/kernels/support/fixed_point.h"

namespace vnpu::hw::kernels {
namespace {

// Q0 = raw / 2^15, Q2 = raw / 2^13.
constexpr std::int16_t kOne16Q0 = std::numeric_limits<std::int16_t>::max();
constexpr std::int16_t kOneQ2 = 1 << 13;

// The upper half of a 32-bit constant, rounded.
constexpr std::int16_t upperHalf(std::int32_t constant) {
    return static_cast<std::int16_t>((static_cast<std::int64_t>(constant) + (1 << 15)) >> 16);
}

std::int16_t wrap16(std::int32_t value) {
    return static_cast<std::int16_t>(value);
}

std::int16_t saturatingShiftLeft16(std::int16_t raw, int bits) {
    return saturate16(static_cast<std::int64_t>(raw) * (1 << bits));
}

std::int16_t shiftRight16(std::int16_t raw, int bits) {
    return static_cast<std::int16_t>(roundingDivideByPowerOfTwo(raw, bits));
}

// e^x for x in [-1/4, 0), Q0 to Q0, expanded about -1/8 like the 32-bit function.
std::int16_t exponentialWithinQuarter(std::int16_t x) {
    constexpr std::int16_t kExpOfMinusEighth = upperHalf(1895147668);
    constexpr std::int16_t kThird = upperHalf(715827883);
    constexpr std::int16_t kEighth = 1 << 12;
    const std::int16_t d = wrap16(x + kEighth);
    const std::int16_t d2 = fixedMultiply16(d, d);
    const std::int16_t d3 = fixedMultiply16(d2, d);
    const std::int16_t d4 = fixedMultiply16(d2, d2);
    const std::int16_t cubic = wrap16(shiftRight16(d4, 2) + d3);
    const std::int16_t higher = shiftRight16(wrap16(fixedMultiply16(cubic, kThird) + d2), 1);
    return saturate16(kExpOfMinusEighth + fixedMultiply16(kExpOfMinusEighth, wrap16(d + higher)));
}

// e^x for x <= 0 with up to 7 integer bits, as Q0.
std::int16_t exponential16(std::int16_t raw, int integerBits) {
    // round(e^(-2^(i-2)) * 2^31), lowest first.
    constexpr std::int32_t kFactors[] = {1672461947, 1302514674, 790015084, 290630308,
                                         39332535,   720401,     242};
    const int fractionBits = 15 - integerBits;
    const int quarter = 1 << (fractionBits - 2);
    if (raw == 0) {
        return kOne16Q0;
    }
    if (integerBits > 5 && raw < -(32 << fractionBits)) {
        return 0;
    }
    const std::int16_t withinQuarter = wrap16((raw & (quarter - 1)) - quarter);
    std::int16_t result =
            exponentialWithinQuarter(saturatingShiftLeft16(withinQuarter, integerBits));
    const int remainder = wrap16(withinQuarter - raw);
    for (int i = 0; i < 7 && i - 2 < integerBits; ++i) {
        if ((remainder & (1 << (fractionBits + i - 2))) != 0) {
            result = fixedMultiply16(result, upperHalf(kFactors[i]));
        }
    }
    return result;
}

// 2 / (1 + a) of Q0 a in [0, 1], as Q2: Newton-Raphson from the best linear start.
std::int16_t twiceReciprocal(std::int16_t a) {
    constexpr std::int16_t k48By17 = upperHalf(1515870810);
    constexpr std::int16_t kMinus32By17 = upperHalf(-1010580540);
    const std::int16_t half = wrap16((a + kOne16Q0 + 1) / 2);
    std::int16_t x = wrap16(k48By17 + fixedMultiply16(half, kMinus32By17));
    for (int step = 0; step < 3; ++step) {
        const std::int16_t error = wrap16(kOneQ2 - fixedMultiply16(half, x));
        x = wrap16(x + saturatingShiftLeft16(fixedMultiply16(x, error), 2));
    }
    return x;
}

}  // namespace

std::int16_t saturate16(std::int64_t value) {
    return static_cast<std::int16_t>(
            std::clamp<std::int64_t>(value, std::numeric_limits<std::int16_t>::min(),
                                     std::numeric_limits<std::int16_t>::max()));
}

std::int16_t fixedMultiply16(std::int16_t a, std::int16_t b) {
    return saturate16((std::int32_t{a} * b + (1 << 14)) >> 15);
}

std::int16_t fixedLogistic16(std::int16_t raw) {
    constexpr std::int16_t kHalf = 1 << 14;
    if (raw == 0) {
        return kHalf;
    }
    const std::int16_t exponential = exponential16(raw > 0 ? wrap16(-raw) : raw, 3);
    // Half of 2 / (1 + e^-|x|) is the same raw number with one integer bit less.
    const std::int16_t positive = saturatingShiftLeft16(twiceReciprocal(exponential), 1);
    return raw > 0 ? positive : wrap16(kOne16Q0 - positive);
}

std::int16_t fixedTanh16(std::int16_t raw, int integerBits) {
    if (raw == 0) {
        return 0;
    }
    // Twice the number is the same raw number with one more integer bit.
    const std::int16_t exponential = exponential16(raw > 0 ? wrap16(-raw) : raw, integerBits + 1);
    const std::int16_t positive =
            saturatingShiftLeft16(wrap16(twiceReciprocal(exponential) - kOneQ2), 2);
    return raw > 0 ? positive : wrap16(-positive);
}

}  // namespace vnpu::hw::kernels
