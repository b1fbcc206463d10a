// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/operators/operator_call.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::hw::kernels {

/// A real factor as fixed-point arithmetic takes it: multiplier / 2^31 * 2^shift.
struct QuantizedMultiplier {
    std::int32_t multiplier = 0;
    std::int32_t shift = 0;
};

/// Rounds `real` (not negative) to a mantissa in [2^30, 2^31) and an exponent as the TFLite
/// reference does: below 2^-32 it becomes zero, above 2^30, and where it is no number, it
/// saturates.
QuantizedMultiplier quantizeMultiplier(double real);

/// The same without limits to the exponent; `real` finite.
QuantizedMultiplier nearestMultiplier(double real);

/// A closed range of stored values.
struct LevelRange {
    std::int32_t min = 0;
    std::int32_t max = 0;
};

/// What an 8-bit type can store; bytes count as unsigned.
LevelRange levelsOf(TensorType type);

/// Level nearest to `steps` (ties away from zero) above the zero point, within the type's range; a
/// not-a-number counts as zero.
std::int32_t nearestLevel(const Tensor& tensor, double steps);

/// Stored value of byte `byte`, of a signed or unsigned 8-bit type.
inline std::int32_t levelOf(TensorType type, std::uint8_t byte) {
    return type == TensorType::kQuant8Asymm || type == TensorType::kBool8
                   ? std::int32_t{byte}
                   : static_cast<std::int32_t>(static_cast<std::int8_t>(byte));
}

/// One value per byte that an 8-bit operand may hold.
template <typename T>
using ByteTable = std::array<T, 256>;

/// function(level - zero point) for every byte.
template <typename T, typename Function>
ByteTable<T> tabulate(const Tensor& operand, Function&& function) {
    ByteTable<T> table;
    for (std::size_t byte = 0; byte < table.size(); ++byte) {
        const std::int32_t level = levelOf(operand.type, static_cast<std::uint8_t>(byte));
        table[byte] = function(level - operand.zeroPoint);
    }
    return table;
}

/// Stored byte of the operand as a level of `output`, as NNAPI's reference converts between two
/// quantisations: the real value in float, its level in double, ties away from zero.
ByteTable<std::uint8_t> requantizedLevels(const Tensor& operand, const Tensor& output);

/// What NNAPI calls FusedActivationFunc, with its numbers.
enum class FusedActivation : std::uint8_t { kNone = 0, kRelu = 1, kRelu1 = 2, kRelu6 = 3 };

struct RealRange {
    float low;
    float high;
};

/// The real values that an activation lets through.
RealRange activationRange(FusedActivation activation);

/// The stored values of a quantised output that an activation lets through.
LevelRange activationLevels(FusedActivation activation, const Tensor& output);

/// Scaling by `factor` to the levels of `output`, clamped by the activation.
OutputStage stageOf(const Tensor& output, FusedActivation activation, double factor);

}  // namespace vnpu::hw::kernels
