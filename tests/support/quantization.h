// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace vnpu::test {

/// A real factor in the format of the 8-bit hardware: multiplier / 2^31 * 2^shift.
struct QuantizedMultiplier {
    std::int32_t multiplier = 0;
    std::int32_t shift = 0;
};

/// The nearest such factor with multiplier in [2^30, 2^31), as TFLite defines it; 0 for 0 and for
/// values too small for a shift of -31.
inline QuantizedMultiplier quantizeMultiplier(double factor) {
    QuantizedMultiplier result;
    if (factor == 0.0) {
        return result;
    }
    int exponent = 0;
    const double fraction = std::frexp(factor, &exponent);
    auto scaled = static_cast<std::int64_t>(std::round(fraction * 2147483648.0));
    if (scaled == (std::int64_t{1} << 31)) {
        scaled /= 2;
        ++exponent;
    }
    if (exponent < -31) {
        return result;
    }
    result.multiplier = static_cast<std::int32_t>(scaled);
    result.shift = exponent;
    return result;
}

/// round(x / 2^bits) with ties away from zero, on a wide integer.
inline std::int64_t divideByPowerOfTwoAwayFromZero(std::int64_t x, int bits) {
    if (bits == 0) {
        return x;
    }
    const std::int64_t half = std::int64_t{1} << (bits - 1);
    const std::int64_t magnitude = x < 0 ? -x : x;
    const std::int64_t rounded = (magnitude + half) >> bits;
    return x < 0 ? -rounded : rounded;
}

/// The low 32 bits as a signed number.
inline std::int64_t wrapTo32(std::int64_t x) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(x)));
}

/// x * multiplier * 2^(shift - 31) with double rounding, in wide integers: wraps after the left
/// shift; floor(p / 2^31 + 1/2), at most INT32_MAX; then the right shift rounded away from zero.
inline std::int64_t scaleTwiceRounded(std::int64_t x, std::int64_t multiplier, std::int64_t shift) {
    const std::int64_t left = std::max<std::int64_t>(shift, 0);
    const std::int64_t right = std::max<std::int64_t>(-shift, 0);
    const std::int64_t shifted = wrapTo32(wrapTo32(x) * (std::int64_t{1} << left));
    std::int64_t high = (shifted * multiplier + (std::int64_t{1} << 30)) >> 31;
    high = std::min<std::int64_t>(high, std::numeric_limits<std::int32_t>::max());
    return divideByPowerOfTwoAwayFromZero(high, static_cast<int>(right));
}

}  // namespace vnpu::test
