// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace vnpu::hw::kernels {

/// e^x in double for float results, with the same bits on every processor, which the C library does
/// not guarantee. The relative error is below 2^-32 from e^-700 to e^700, where larger arguments
/// are clamped; NaNs pass.
inline double wideExponential(double x) {
    constexpr double kLog2E = 1.4426950408889634074;
    constexpr double kLn2 = 0.69314718055994530942;
    constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
    if (std::isnan(x)) {
        return x;
    }
    // Far beyond the float range, with 2^k still a normal double.
    const double clamped = std::min(std::max(x, -700.0), 700.0);
    const double k = (clamped * kLog2E + kRound) - kRound;
    const double r = clamped - k * kLn2;  // at most ln(2)/2
    // Taylor series; the first omitted term, r^9/9!, is below 2^-32.
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
    return sum * std::bit_cast<double>(exponent);
}

/// e^x rounded once, within 0.51 units of the last place.
inline float exponential(float x) {
    return static_cast<float>(wideExponential(static_cast<double>(x)));
}

/// 1 / (1 + e^-x) rounded once, within 0.51 units of the last place.
inline float logistic(float x) {
    return static_cast<float>(1.0 / (1.0 + wideExponential(-static_cast<double>(x))));
}

}  // namespace vnpu::hw::kernels
