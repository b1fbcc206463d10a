// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/operators/operator_call.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::hw::kernels {

/// A real factor in fixed point: multiplier / 2^31 * 2^shift.
struct QuantizedMultiplier {
    std::int32_t multiplier = 0;
    std::int32_t shift = 0;
};

/// Rounds `real` (not negative) to a mantissa in [2^30, 2^31) and an exponent, as the TFLite
/// reference does: below 2^-32 it becomes zero; above 2^30 and for NaN it saturates.
QuantizedMultiplier quantizeMultiplier(double real);

/// The same without limits on the exponent; `real` must be finite.
QuantizedMultiplier nearestMultiplier(double real);

/// A closed range of stored values.
struct LevelRange {
    std::int32_t min = 0;
    std::int32_t max = 0;
};

/// The range of an 8-bit type; other bytes count as unsigned.
LevelRange levelsOf(TensorType type);

/// The level nearest to `steps` above the zero point (ties away from zero), within the type's
/// range; NaN counts as zero.
std::int32_t nearestLevel(const Tensor& tensor, double steps);

/// Stored value of byte `byte`, of a signed or unsigned 8-bit type.
inline std::int32_t levelOf(TensorType type, std::uint8_t byte) {
    return type == TensorType::kQuant8Asymm || type == TensorType::kBool8
                   ? std::int32_t{byte}
                   : static_cast<std::int32_t>(static_cast<std::int8_t>(byte));
}

/// One value for each byte that an 8-bit operand may hold.
template <typename T>
using ByteTable = std::array<T, 256>;

/// Tabulates function(level - zero point) for every byte.
template <typename T, typename Function>
ByteTable<T> tabulate(const Tensor& operand, Function&& function) {
    ByteTable<T> table;
    for (std::size_t byte = 0; byte < table.size(); ++byte) {
        const std::int32_t level = levelOf(operand.type, static_cast<std::uint8_t>(byte));
        table[byte] = function(level - operand.zeroPoint);
    }
    return table;
}

/// The levels of `output` for every stored byte of `operand`, converted like NNAPI's reference: the
/// real value in float, its level in double, ties away from zero.
ByteTable<std::uint8_t> requantizedLevels(const Tensor& operand, const Tensor& output);

/// NNAPI's FusedActivationFunc, with its numbers.
enum class FusedActivation : std::uint8_t { kNone = 0, kRelu = 1, kRelu1 = 2, kRelu6 = 3 };

struct RealRange {
    float low;
    float high;
};

/// The range of real values of an activation.
RealRange activationRange(FusedActivation activation);

/// The range of stored values of an activation for a quantized output.
LevelRange activationLevels(FusedActivation activation, const Tensor& output);

/// The output stage that scales by `factor` to the levels of `output` and clamps by the activation.
OutputStage stageOf(const Tensor& output, FusedActivation activation, double factor);

}  // namespace vnpu::hw::kernels
