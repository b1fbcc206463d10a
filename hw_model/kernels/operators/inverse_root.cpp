// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/inverse_root.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "hw_model/kernels/support/fixed_point.h"

namespace vnpu::hw::kernels {
namespace {

std::int32_t shiftLeftSaturated(std::int32_t x, int bits) {
    using Limits = std::numeric_limits<std::int32_t>;
    return static_cast<std::int32_t>(
            std::clamp<std::int64_t>(std::int64_t{x} << bits, Limits::min(), Limits::max()));
}

}  // namespace

QuantizedMultiplier inverseRoot(std::int32_t sum) {
    if (sum <= 1) {
        return {std::numeric_limits<std::int32_t>::max(), 0};
    }
    int shift = 11;  // to the right
    while (sum >= 1 << 29) {
        sum /= 4;
        ++shift;
    }
    // Shifts by pairs of bits until the sum lies between 2^27 and 2^29, which is 1/4 to 1 with 3
    // integer bits.
    const int pairs = (std::countl_zero(static_cast<std::uint32_t>(sum)) - 1) / 2 - 1;
    shift -= pairs;
    sum <<= 2 * pairs;
    const std::int32_t half = roundingDivideByPowerOfTwo(sum >> 1, 1);
    constexpr std::int32_t kOneAndHalf = (1 << 28) + (1 << 27);
    constexpr std::int32_t kRootHalf = 1518500250;  // round(sqrt(1/2) * 2^31)
    std::int32_t x = 1 << 28;
    for (int step = 0; step < 5; ++step) {
        // A product of two numbers with 3 integer bits has 6, of three it has 9.
        const std::int32_t cube = shiftLeftSaturated(
                roundingDoublingHighMultiply(roundingDoublingHighMultiply(x, x), x), 6);
        x = shiftLeftSaturated(roundingDoublingHighMultiply(kOneAndHalf, x) -
                                       roundingDoublingHighMultiply(half, cube),
                               3);
    }
    std::int32_t multiplier = roundingDoublingHighMultiply(x, kRootHalf);
    if (shift < 0) {
        multiplier <<= -shift;
        shift = 0;
    }
    return {multiplier, -shift};
}

}  // namespace vnpu::hw::kernels
