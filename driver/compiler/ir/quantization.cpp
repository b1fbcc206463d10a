// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/quantization.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace vnpu::driver {
namespace {

using hw::ElementType;

constexpr int kSoftmaxIntegerBits = 5;  // source: TFLite reference softmax, 8-bit input
constexpr double kTwoTo31 = 2147483648.0;

/// Mantissa and exponent, whatever the exponent.
QuantizedMultiplier nearestMultiplier(double real) {
    int exponent = 0;
    const double mantissa = std::frexp(real, &exponent);
    auto fixed = static_cast<std::int64_t>(std::round(mantissa * kTwoTo31));
    if (fixed == std::int64_t{1} << 31) {
        fixed /= 2;
        ++exponent;
    }
    return {static_cast<std::int32_t>(fixed), exponent};
}

std::int32_t storedValue(double real, float scale, std::int32_t zeroPoint) {
    const float steps = std::round(static_cast<float>(real) / scale);
    const float limit = 1024.0F;  // beyond any 8-bit range, so that the sum cannot overflow
    return zeroPoint + static_cast<std::int32_t>(std::clamp(steps, -limit, limit));
}

ClampRange floatRange(float low, float high) {
    return {std::bit_cast<std::int32_t>(low), std::bit_cast<std::int32_t>(high)};
}

struct RealRange {
    float low;
    float high;
};

RealRange realRange(Activation activation) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    switch (activation) {
        case Activation::kRelu:
            return {0.0F, kInfinity};
        case Activation::kRelu1:
            return {-1.0F, 1.0F};
        case Activation::kRelu6:
            return {0.0F, 6.0F};
        case Activation::kNone:
            break;
    }
    return {-kInfinity, kInfinity};
}

}  // namespace

QuantizedMultiplier quantizeMultiplier(double real) {
    const QuantizedMultiplier nearest = nearestMultiplier(real);
    if (nearest.shift < -31) {
        return {};
    }
    if (nearest.shift > 30) {
        return {std::numeric_limits<std::int32_t>::max(), 30};
    }
    return nearest;
}

std::int32_t lowestValue(ElementType type) {
    return type == ElementType::kUint8 ? 0 : -128;
}

std::int32_t highestValue(ElementType type) {
    return type == ElementType::kUint8 ? 255 : 127;
}

ClampRange activationRange(Activation activation, ElementType type, float scale,
                           std::int32_t zeroPoint) {
    const RealRange real = realRange(activation);
    if (type == ElementType::kFloat32) {
        return floatRange(real.low, real.high);
    }
    ClampRange range{lowestValue(type), highestValue(type)};
    if (std::isfinite(real.low)) {
        range.min = std::clamp(storedValue(real.low, scale, zeroPoint), range.min, range.max);
    }
    if (std::isfinite(real.high)) {
        range.max = std::clamp(storedValue(real.high, scale, zeroPoint), range.min, range.max);
    }
    return range;
}

ClampRange intersect(ElementType type, ClampRange first, ClampRange second) {
    if (type == ElementType::kFloat32) {
        const auto low = std::bit_cast<float>(second.min);
        const auto high = std::bit_cast<float>(second.max);
        return floatRange(std::clamp(std::bit_cast<float>(first.min), low, high),
                          std::clamp(std::bit_cast<float>(first.max), low, high));
    }
    return {std::clamp(first.min, second.min, second.max),
            std::clamp(first.max, second.min, second.max)};
}

QuantizedMultiplier productMultiplier(float scale0, float scale1, float outputScale) {
    return quantizeMultiplier(double{scale0} * double{scale1} / double{outputScale});
}

AddMultipliers addMultipliers(float scale0, float scale1, float outputScale) {
    const double twiceMax = 2.0 * double{std::max(scale0, scale1)};
    const double shifted = double{1 << AddMultipliers::kLeftShift} * double{outputScale};
    AddMultipliers result;
    result.input[0] = quantizeMultiplier(double{scale0} / twiceMax);
    result.input[1] = quantizeMultiplier(double{scale1} / twiceMax);
    result.output = quantizeMultiplier(twiceMax / shifted);
    return result;
}

SoftmaxParameters softmaxParameters(float beta, float inputScale) {
    constexpr int kFractionBits = 31 - kSoftmaxIntegerBits;
    const double real = std::min(double{beta} * double{inputScale} * double{1 << kFractionBits},
                                 kTwoTo31 - 1.0);
    SoftmaxParameters result;
    const QuantizedMultiplier fixed = nearestMultiplier(real);
    if (fixed.shift < 0) {
        // Below one the hardware, which shifts left only, takes the factor with fewer significant
        // bits.
        result.multiplier = static_cast<std::int32_t>(std::round(real * kTwoTo31));
    } else {
        result.multiplier = fixed.multiplier;
        result.leftShift = fixed.shift;
    }
    const double largest = double{(1 << kSoftmaxIntegerBits) - 1} * double{1 << kFractionBits};
    const double radius = std::floor(std::ldexp(largest, -result.leftShift));
    result.diffMin = -static_cast<std::int32_t>(radius);
    return result;
}

std::vector<std::byte> logisticTable(ElementType type, float inputScale,
                                     std::int32_t inputZeroPoint, std::int32_t outputZeroPoint) {
    std::vector<std::byte> table(256);
    for (std::int32_t stored = lowestValue(type); stored <= highestValue(type); ++stored) {
        const double x = (stored - inputZeroPoint) * double{inputScale};
        const double y = std::round(256.0 / (1.0 + std::exp(-x)));
        const std::int32_t value = std::clamp(static_cast<std::int32_t>(y) + outputZeroPoint,
                                              lowestValue(type), highestValue(type));
        table[static_cast<std::uint8_t>(stored)] = static_cast<std::byte>(value);
    }
    return table;
}

}  // namespace vnpu::driver
