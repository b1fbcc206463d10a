// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/fixed_normalisation16.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "hw_model/kernels/operators/fixed_activation16.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::int64_t kUnit = 1024;  // source: TFLite's resolution of normalised values

std::int32_t saturate32(std::int64_t value) {
    return static_cast<std::int32_t>(
            std::clamp<std::int64_t>(value, std::numeric_limits<std::int32_t>::min(),
                                     std::numeric_limits<std::int32_t>::max()));
}

std::int32_t multiply(std::int32_t a, std::int32_t b) {
    return roundingDoublingHighMultiply(a, b);
}

// Whole; 0 where it is less than 1 or, by the rounding of the reciprocal of the count, negative.
std::int32_t variance(std::span<const std::int16_t> values, std::int64_t mean) {
    std::int64_t squares = 0;
    for (const std::int16_t value : values) {
        squares += std::int32_t{value} * value;
    }
    const std::int64_t reciprocal = kUnit * kUnit / static_cast<std::int64_t>(values.size());
    return static_cast<std::int32_t>((squares * reciprocal - mean * mean) / (kUnit * kUnit));
}

}  // namespace

FixedMultiplier fixedInverseRoot(std::int32_t value) {
    FixedMultiplier root;
    if (value <= 1) {
        root.multiplier = std::numeric_limits<std::int32_t>::max();
        return root;
    }
    int shift = 11;
    while (value >= 1 << 29) {
        value /= 4;
        ++shift;
    }
    const int pairs = (std::countl_zero(static_cast<std::uint32_t>(value)) - 1) / 2 - 1;
    shift -= pairs;
    value <<= 2 * pairs;
    // Q3 numbers: raw / 2^28.
    constexpr std::int32_t kThreeHalves = (1 << 28) + (1 << 27);
    constexpr std::int32_t kHalfRootOfTwo = 1518500250;  // round(sqrt(1/2) * 2^31)
    const std::int32_t half = roundingDivideByPowerOfTwo(value >> 1, 1);
    std::int32_t x = 1 << 28;
    for (int step = 0; step < 5; ++step) {
        const std::int32_t cube = saturate32(std::int64_t{multiply(multiply(x, x), x)} * 64);
        x = saturate32(
                std::int64_t{wrappingSubtract(multiply(kThreeHalves, x), multiply(half, cube))} *
                8);
    }
    root.multiplier = multiply(x, kHalfRootOfTwo);
    if (shift < 0) {
        root.multiplier <<= -shift;
        shift = 0;
    }
    root.shift = -shift;
    return root;
}

void normalise16(std::span<std::int16_t> values, const std::int16_t* weights,
                 const std::int32_t* biases, const FixedMultiplier& factor) {
    std::int64_t sum = 0;
    for (const std::int16_t value : values) {
        sum += value;
    }
    const std::int64_t mean = sum * kUnit / static_cast<std::int64_t>(values.size());
    const FixedMultiplier inverse = fixedInverseRoot(variance(values, mean));
    FixedMultiplier scaled = factor;
    scaled.shift += 12;  // a unit of the result: 3 integer bits
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int32_t normal = inverse(static_cast<std::int32_t>(kUnit * values[i] - mean));
        const std::int64_t weighted = std::int64_t{normal} * weights[i] + biases[i];
        const std::int32_t rounded = saturate32(roundingDivide(weighted, kUnit));
        values[i] = saturate16(scaled(rounded));
    }
}

}  // namespace vnpu::hw::kernels
