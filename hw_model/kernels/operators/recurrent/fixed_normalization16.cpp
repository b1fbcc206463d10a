// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/recurrent/fixed_normalization16.h"

#include <algorithm>
#include <limits>

#include "hw_model/kernels/operators/inverse_root.h"
#include "hw_model/kernels/operators/recurrent/fixed_activation16.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::int64_t kNormalUnit = 1024;  // source: TFLite's resolution of normalized values

std::int32_t saturate32(std::int64_t value) {
    return static_cast<std::int32_t>(
            std::clamp<std::int64_t>(value, std::numeric_limits<std::int32_t>::min(),
                                     std::numeric_limits<std::int32_t>::max()));
}

// As an integer; 0 if it is less than 1 or, by the rounded reciprocal of the count, negative.
std::int32_t variance(std::span<const std::int16_t> values, std::int64_t mean) {
    std::int64_t squares = 0;
    for (const std::int16_t value : values) {
        squares += std::int64_t{value} * value;
    }
    const std::int64_t reciprocal =
            kNormalUnit * kNormalUnit / static_cast<std::int64_t>(values.size());
    return static_cast<std::int32_t>((squares * reciprocal - mean * mean) /
                                     (kNormalUnit * kNormalUnit));
}

}  // namespace

void normalize16(std::span<std::int16_t> values, const std::int16_t* weights,
                 const std::int32_t* biases, const FixedMultiplier& factor) {
    std::int64_t sum = 0;
    for (const std::int16_t value : values) {
        sum += value;
    }
    const std::int64_t mean = sum * kNormalUnit / static_cast<std::int64_t>(values.size());
    const FixedMultiplier inverse(inverseRoot(variance(values, mean)));
    FixedMultiplier scaled = factor;
    scaled.shift += 12;  // a unit of the result: 3 integer bits
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int32_t normal =
                inverse(static_cast<std::int32_t>(kNormalUnit * values[i] - mean));
        const std::int64_t weighted = std::int64_t{normal} * weights[i] + biases[i];
        const std::int32_t rounded = saturate32(roundingDivide(weighted, kNormalUnit));
        values[i] = saturate16(scaled(rounded));
    }
}

}  // namespace vnpu::hw::kernels
