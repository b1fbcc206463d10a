// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace vnpu::hw::kernels {

/// High 32 bits of 2*a*b, rounded to nearest with ties toward plus infinity; the only overflow
/// (both INT32_MIN) saturates. source: ARM's instruction SQRDMULH, on which gemmlowp's fixed-point
/// arithmetic is based.
inline std::int32_t roundingDoublingHighMultiply(std::int32_t a, std::int32_t b) {
    if (a == b && a == std::numeric_limits<std::int32_t>::min()) {
        return std::numeric_limits<std::int32_t>::max();
    }
    return static_cast<std::int32_t>((static_cast<std::int64_t>(a) * b + (1LL << 30)) >> 31);
}

/// x / 2^exponent, rounded to nearest with ties away from zero; exponent 0 to 31.
inline std::int32_t roundingDivideByPowerOfTwo(std::int32_t x, int exponent) {
    const auto mask = static_cast<std::int32_t>((1LL << exponent) - 1);
    const std::int32_t remainder = x & mask;
    const std::int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
    return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

/// x * multiplier * 2^(shift - 31) with the two roundings above; a positive shift is applied first,
/// wrapping like 32-bit hardware. The shift is clamped to -31 to 31.
inline std::int32_t multiplyByQuantizedMultiplier(std::int32_t x, std::int32_t multiplier,
                                                  std::int32_t shift) {
    const int left = std::clamp(shift, 0, 31);
    const int right = -std::clamp(shift, -31, 0);
    const auto shifted = static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << left);
    return roundingDivideByPowerOfTwo(roundingDoublingHighMultiply(shifted, multiplier), right);
}

/// Sum, difference and product modulo 2^32, like 32-bit hardware.
inline std::int32_t wrappingAdd(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
inline std::int32_t wrappingSubtract(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}
inline std::int32_t wrappingMultiply(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}

/// sum / count rounded to nearest with ties away from zero; count at least 1.
inline std::int64_t roundingDivide(std::int64_t sum, std::int64_t count) {
    return (sum >= 0 ? sum + count / 2 : sum - count / 2) / count;
}

}  // namespace vnpu::hw::kernels
