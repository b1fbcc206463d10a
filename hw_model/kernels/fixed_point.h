// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace vnpu::hw::kernels {

/// High 32 bits of 2*a*b, rounded to nearest with ties away from zero; the one overflow (both INT32_MIN) saturates.
/// source: gemmlowp's published definition of SQRDMULH, as ARM's instruction of that name.
inline std::int32_t roundingDoublingHighMultiply(std::int32_t a, std::int32_t b) {
    if (a == b && a == std::numeric_limits<std::int32_t>::min()) {
        return std::numeric_limits<std::int32_t>::max();
    }
    const std::int64_t product = static_cast<std::int64_t>(a) * b;
    const std::int64_t nudge = product >= 0 ? (1LL << 30) : (1LL - (1LL << 30));
    return static_cast<std::int32_t>((product + nudge) / (1LL << 31));
}

/// x / 2^exponent, rounded to nearest with ties away from zero; exponent 0 to 31.
inline std::int32_t roundingDivideByPowerOfTwo(std::int32_t x, int exponent) {
    const std::int32_t mask = static_cast<std::int32_t>((1LL << exponent) - 1);
    const std::int32_t remainder = x & mask;
    const std::int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
    return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

/// x * multiplier * 2^(shift - 31) with the two roundings above; a positive shift is applied before, wrapping as 32-bit hardware.
inline std::int32_t multiplyByQuantizedMultiplier(std::int32_t x, std::int32_t multiplier, std::int32_t shift) {
    const int left = shift > 0 ? shift : 0;
    const int right = shift > 0 ? 0 : -shift;
    const auto shifted = static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << left);
    return roundingDivideByPowerOfTwo(roundingDoublingHighMultiply(shifted, multiplier), right);
}

}  // namespace vnpu::hw::kernels
