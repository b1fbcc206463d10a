// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::hw::kernels {

/// e^x for x <= 0 in fixed point with 5 integer bits (x = raw / 2^26); the result has none (raw /
/// 2^31, at most INT32_MAX). Bit exact with the fixed-point softmax of the TFLite reference: a
/// fourth-order Taylor polynomial about -1/8 within the quarter, then one factor per set bit of the
/// number of quarters.
std::int32_t fixedExponential(std::int32_t raw);

/// 1 / sum as value / 2^31 * 2^-integerBits, value between 1/2 and 1.
struct FixedReciprocal {
    std::int32_t value;
    int integerBits;  // of the sum
};

/// Reciprocal of a positive fixed-point sum with `sumIntegerBits` integer bits, by three
/// Newton-Raphson steps, bit exact with the TFLite reference.
FixedReciprocal fixedReciprocal(std::int32_t sum, int sumIntegerBits);

}  // namespace vnpu::hw::kernels
