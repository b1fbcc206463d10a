// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "hw_model/kernels/fixed_point.h"

namespace vnpu::hw::kernels {

/// A positive real factor as multiplier / 2^31 * 2^shift, the multiplier having 31 bits.
struct FixedMultiplier {
    std::int32_t multiplier = 0;
    std::int32_t shift = 0;

    FixedMultiplier() = default;
    /// Rounds to nearest; below 2^-32 it is 0. Finite, below 2^31: what is not counts as 0.
    explicit FixedMultiplier(double factor) {
        if (!(factor > 0.0) || !std::isfinite(factor)) {
            return;
        }
        int exponent = 0;
        auto rounded = static_cast<std::int64_t>(
                std::round(std::frexp(factor, &exponent) * static_cast<double>(1LL << 31)));
        if (rounded == 1LL << 31) {
            rounded /= 2;
            ++exponent;
        }
        if (exponent >= -31) {
            multiplier = static_cast<std::int32_t>(rounded);
            shift = exponent;
        }
    }

    std::int32_t operator()(std::int32_t value) const {
        return multiplyByQuantizedMultiplier(value, multiplier, shift);
    }
};

}  // namespace vnpu::hw::kernels
