// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/kernels/support/fixed_point.h"

namespace vnpu::hw::kernels {

/// A fixed-point factor for integers, with the rounding of multiplyByQuantizedMultiplier. Negative
/// factors and NaNs count as 0.
struct FixedMultiplier : QuantizedMultiplier {
    FixedMultiplier() = default;
    explicit FixedMultiplier(const QuantizedMultiplier& factor) : QuantizedMultiplier(factor) {}
    explicit FixedMultiplier(double factor)
        : QuantizedMultiplier(factor > 0.0 && std::isfinite(factor) ? quantizeMultiplier(factor)
                                                                    : QuantizedMultiplier{}) {}

    std::int32_t operator()(std::int32_t value) const {
        return multiplyByQuantizedMultiplier(value, multiplier, shift);
    }
};

}  // namespace vnpu::hw::kernels
