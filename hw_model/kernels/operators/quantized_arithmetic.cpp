// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/quantized_arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vnpu::hw::kernels {

QuantizedMultiplier nearestMultiplier(double real) {
    constexpr double kTwoTo31 = 2147483648.0;
    int exponent = 0;
    const double mantissa = std::frexp(real, &exponent);
    auto fixed = static_cast<std::int64_t>(std::round(mantissa * kTwoTo31));
    if (fixed == std::int64_t{1} << 31) {
        fixed /= 2;
        ++exponent;
    }
    return {static_cast<std::int32_t>(fixed), exponent};
}

QuantizedMultiplier quantizeMultiplier(double real) {
    constexpr QuantizedMultiplier kMost = {std::numeric_limits<std::int32_t>::max(), 30};
    if (!std::isfinite(real)) {
        return kMost;
    }
    const QuantizedMultiplier nearest = nearestMultiplier(real);
    if (nearest.shift < -31) {
        return {};
    }
    return nearest.shift > 30 ? kMost : nearest;
}

LevelRange levelsOf(TensorType type) {
    return type == TensorType::kQuant8Asymm || type == TensorType::kBool8 ? LevelRange{0, 255}
                                                                          : LevelRange{-128, 127};
}

std::int32_t nearestLevel(const Tensor& tensor, double steps) {
    constexpr double kFar = 1e6;  // chosen: beyond every 8-bit range even with the zero point added
    const LevelRange levels = levelsOf(tensor.type);
    const double near = std::isnan(steps) ? 0.0 : std::clamp(std::round(steps), -kFar, kFar);
    return std::clamp(static_cast<std::int32_t>(near) + tensor.zeroPoint, levels.min, levels.max);
}

ByteTable<std::uint8_t> requantizedLevels(const Tensor& operand, const Tensor& output) {
    const LevelRange levels = levelsOf(output.type);
    return tabulate<std::uint8_t>(operand, [&](std::int32_t difference) {
        const float real = static_cast<float>(difference) * operand.scale;
        const double level = double{real} / double{output.scale} + output.zeroPoint;
        return static_cast<std::uint8_t>(static_cast<std::int32_t>(
                std::round(std::clamp<double>(level, levels.min, levels.max))));
    });
}

RealRange activationRange(FusedActivation activation) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    switch (activation) {
        case FusedActivation::kRelu:
            return {0.0F, kInfinity};
        case FusedActivation::kRelu1:
            return {-1.0F, 1.0F};
        case FusedActivation::kRelu6:
            return {0.0F, 6.0F};
        case FusedActivation::kNone:
            break;
    }
    return {-kInfinity, kInfinity};
}

LevelRange activationLevels(FusedActivation activation, const Tensor& output) {
    const RealRange real = activationRange(activation);
    LevelRange range = levelsOf(output.type);
    if (std::isfinite(real.low)) {
        range.min = nearestLevel(output, double{real.low / output.scale});
    }
    if (std::isfinite(real.high)) {
        range.max = std::max(range.min, nearestLevel(output, double{real.high / output.scale}));
    }
    return range;
}

OutputStage stageOf(const Tensor& output, FusedActivation activation, double factor) {
    const QuantizedMultiplier scaling = quantizeMultiplier(factor);
    const LevelRange levels = activationLevels(activation, output);
    OutputStage stage{};
    stage.multiplier = scaling.multiplier;
    stage.shift = scaling.shift;
    stage.zeroPoint = output.zeroPoint;
    stage.clampMin = levels.min;
    stage.clampMax = levels.max;
    return stage;
}

}  // namespace vnpu::hw::kernels
