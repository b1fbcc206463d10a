// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace vnpu::hw::kernels {

/// e^x for the float kernels: the same bits on every processor, which the C library does not
/// promise. Computed in double and rounded once, so within 0.51 units of the last place; overflow
/// gives infinity, not-a-numbers pass.
inline float exponential(float x) {
    constexpr double kLog2E = 1.4426950408889634074;
    constexpr double kLn2 = 0.69314718055994530942;
    constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
    if (std::isnan(x)) {
        return x;
    }
    // Beyond these bounds the float result is 0 or infinity; inside them 2^k is a normal double.
    const double clamped = std::min(std::max(static_cast<double>(x), -110.0), 100.0);
    const double shifted = clamped * kLog2E + kRound;
    const double k = shifted - kRound;
    const double r = clamped - k * kLn2;  // at most ln(2)/2
    // Taylor series; the first term left out is below 2^-33 of the sum.
    double sum = 1.0 / 40320;
    sum = sum * r + 1.0 / 5040;
    sum = sum * r + 1.0 / 720;
    sum = sum * r + 1.0 / 120;
    sum = sum * r + 1.0 / 24;
    sum = sum * r + 1.0 / 6;
    sum = sum * r + 0.5;
    sum = sum * r + 1.0;
    sum = sum * r + 1.0;
    const auto exponent = static_cast<std::uint64_t>(static_cast<std::int64_t>(k) + 1023) << 52;
    return static_cast<float>(sum * std::bit_cast<double>(exponent));
}

/// 1 / (1 + e^-x).
inline float logistic(float x) {
    return 1.0F / (1.0F + exponential(-x));
}

}  // namespace vnpu::hw::kernels
