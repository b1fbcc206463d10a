// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hw_model/kernels/support/fixed_point.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::hw::kernels {

/// Element `index` of an array of T in byte memory; offsets need no alignment.
template <typename T>
T loadElement(const std::byte* array, std::size_t index) {
    T value;
    std::memcpy(&value, array + index * sizeof(T), sizeof(T));
    return value;
}

template <typename T>
void storeElement(std::byte* array, std::size_t index, T value) {
    std::memcpy(array + index * sizeof(T), &value, sizeof(T));
}

/// The clamp of a float output; NaNs pass.
struct FloatClamp {
    float low;
    float high;

    explicit FloatClamp(const OutputStage& stage) : FloatClamp(stage.clampMin, stage.clampMax) {}
    FloatClamp(std::int32_t lowBits, std::int32_t highBits)
        : low(std::bit_cast<float>(lowBits)), high(std::bit_cast<float>(highBits)) {}

    float operator()(float value) const { return std::min(std::max(value, low), high); }
};

/// The per-tensor output stage of an 8-bit result, without bias.
inline std::int32_t applyOutputStage(const OutputStage& stage, std::int32_t value) {
    const std::int32_t scaled = wrappingAdd(
            multiplyByQuantizedMultiplier(value, stage.multiplier, stage.shift), stage.zeroPoint);
    return std::min(std::max(scaled, stage.clampMin), stage.clampMax);
}

/// Calls `function` with a value of the element type: the only place where a type code is mapped to
/// a type.
template <typename Function>
void withElementType(ElementType type, Function&& function) {
    switch (type) {
        case ElementType::kInt8:
            return function(std::int8_t{});
        case ElementType::kUint8:
            return function(std::uint8_t{});
        case ElementType::kInt32:
            return function(std::int32_t{});
        case ElementType::kFloat32:
            return function(float{});
    }
}

}  // namespace vnpu::hw::kernels
