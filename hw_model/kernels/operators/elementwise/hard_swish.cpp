// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/elementwise/hard_swish.h"

#include <algorithm>

#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/kernels/support/fixed_point.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::int32_t kSwishUnit = 1 << 15;

std::int32_t saturate(std::int64_t value) {
    return static_cast<std::int32_t>(
            std::clamp<std::int64_t>(value, -std::int64_t{kSwishUnit}, kSwishUnit - 1));
}

std::int32_t shiftLeft(std::int32_t value, std::int32_t shift) {
    return saturate(std::int64_t{value} << std::clamp(shift, 0, 31));
}

std::int32_t shiftRight(std::int32_t value, std::int32_t shift) {
    return roundingDivideByPowerOfTwo(value, std::clamp(shift, 0, 31));
}

/// High 16 bits of 2*a*b, rounded to nearest with ties away from zero; 16-bit operands.
std::int32_t roundingProduct(std::int32_t a, std::int32_t b) {
    const std::int32_t nudge = (a < 0) == (b < 0) ? 1 << 14 : 1 - (1 << 14);
    return saturate((std::int64_t{a} * b + nudge) / kSwishUnit);
}

}  // namespace

FixedHardSwish::Factor FixedHardSwish::factorOf(float real) {
    const QuantizedMultiplier wide = quantizeMultiplier(double{real});
    const std::int64_t rounded = (std::int64_t{wide.multiplier} + kSwishUnit) >> 16;
    return {saturate(rounded), wide.shift};
}

FixedHardSwish::FixedHardSwish(float inputScale, const Tensor& output)
    : zeroPoint_(output.zeroPoint),
      lowest_(levelsOf(output.type).min),
      highest_(levelsOf(output.type).max) {
    const float fineScale = inputScale / 128.0F;
    toThirds_ = factorOf(fineScale / (3.0F / 32768.0F));
    toOutput_ = factorOf(fineScale / output.scale);
}

std::int32_t FixedHardSwish::thirdOf(std::int32_t fine) const {
    std::int32_t third = fine;
    if (toThirds_.shift > 0) {
        // The last bit is shifted in after the multiplication, to avoid early saturation.
        third = shiftLeft(third, toThirds_.shift - 1);
    }
    third = roundingProduct(third, toThirds_.multiplier);
    if (toThirds_.shift > 0) {
        return shiftLeft(third, 1);
    }
    return shiftRight(third, -toThirds_.shift);
}

std::int32_t FixedHardSwish::operator()(std::int32_t difference) const {
    const std::int32_t fine = saturate(std::int64_t{difference} * 128);
    const std::int32_t gate = (thirdOf(fine) + kSwishUnit) >> 1;  // min(max(x + 3, 0), 6) / 6
    const std::int32_t linear = roundingProduct(fine, toOutput_.multiplier);
    // Truncated, to balance the bias of the two preceding roundings.
    const std::int32_t product = saturate(std::int64_t{gate} * linear / kSwishUnit);
    const std::int32_t level = toOutput_.shift > 0 ? shiftLeft(product, toOutput_.shift)
                                                   : shiftRight(product, -toOutput_.shift);
    return std::clamp(level + zeroPoint_, lowest_, highest_);
}

}  // namespace vnpu::hw::kernels
