// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace vnpu::hw::kernels {

/// A real factor for multiplyByQuantizedMultiplier: multiplier / 2^31 * 2^shift.
struct QuantizedMultiplier {
    std::int32_t multiplier = 0;
    std::int32_t shift = 0;
};

/// `real` (finite, not negative) rounded to a Q31 mantissa in [2^30, 2^31) and an exponent, as the
/// TFLite reference does: below 2^-32 it becomes zero, above 2^30 it saturates.
inline QuantizedMultiplier quantizeMultiplier(double real) {
    int exponent = 0;
    auto mantissa =
            static_cast<std::int64_t>(std::round(std::ldexp(std::frexp(real, &exponent), 31)));
    if (mantissa == std::int64_t{1} << 31) {
        mantissa /= 2;
        ++exponent;
    }
    if (exponent < -31) {
        return {};
    }
    if (exponent > 30) {
        return {.multiplier = std::numeric_limits<std::int32_t>::max(), .shift = 30};
    }
    return {.multiplier = static_cast<std::int32_t>(mantissa), .shift = exponent};
}

}  // namespace vnpu::hw::kernels
