// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw_model/regs/command_stream.h"

namespace vnpu::driver {

/// A real factor as the hardware takes it: multiplier / 2^31 * 2^shift, multiplier in Q31.
struct QuantizedMultiplier {
    std::int32_t multiplier = 0;
    std::int32_t shift = 0;

    bool operator==(const QuantizedMultiplier&) const = default;
};

/// Rounds `real` (not negative, finite) to a Q31 mantissa in [2^30, 2^31) and an exponent, as the
/// TFLite reference does: below 2^-32 it becomes zero, above 2^30 it saturates.
QuantizedMultiplier quantizeMultiplier(double real);

/// NNAPI's FusedActivationFunc, with its numbers.
enum class Activation : std::uint8_t { kNone = 0, kRelu = 1, kRelu1 = 2, kRelu6 = 3 };

/// A closed range of stored values; for float32 the bits of the floats.
struct ClampRange {
    std::int32_t min = 0;
    std::int32_t max = 0;

    bool operator==(const ClampRange&) const = default;
};

/// Smallest and largest stored value of an 8-bit type.
std::int32_t lowestValue(hw::ElementType type);
std::int32_t highestValue(hw::ElementType type);

/// The stored values that `activation` lets through, for an output of this type, scale and zero
/// point.
ClampRange activationRange(Activation activation, hw::ElementType type, float scale,
                           std::int32_t zeroPoint);

/// The range of values that two clamps in a row pass; if their ranges do not meet, the second's
/// nearest end.
ClampRange intersect(hw::ElementType type, ClampRange first, ClampRange second);

/// Scaling of a convolution's or matrix product's accumulators, or of an 8-bit MUL's product; the
/// product of the scales is taken in double precision.
QuantizedMultiplier productMultiplier(float scale0, float scale1, float outputScale);

/// Scalings of an 8-bit ADD: both operands are shifted left by 20 bits and brought to twice the
/// larger input scale.
struct AddMultipliers {
    static constexpr std::int32_t kLeftShift = 20;  // source: TFLite reference ADD, 8-bit operands
    QuantizedMultiplier input[2];
    QuantizedMultiplier output;
};
AddMultipliers addMultipliers(float scale0, float scale1, float outputScale);

/// Parameters of the fixed-point softmax: differences to the maximum carry 5 integer bits.
struct SoftmaxParameters {
    std::int32_t multiplier = 0;
    std::int32_t leftShift = 0;
    std::int32_t diffMin = 0;
};
SoftmaxParameters softmaxParameters(float beta, float inputScale);

/// 256 stored outputs of the logistic function, indexed by the stored input byte; output scale
/// 1/256.
std::vector<std::byte> logisticTable(hw::ElementType type, float inputScale,
                                     std::int32_t inputZeroPoint, std::int32_t outputZeroPoint);

}  // namespace vnpu::driver
