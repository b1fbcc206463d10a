// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include "hw_model/kernels/kernels.h"
#include "hw_model/kernels/support/element_access.h"
#include "hw_model/kernels/support/exponential.h"

namespace vnpu::hw::kernels {
namespace {

using LevelTable = std::array<std::uint8_t, 256>;

void mapBytes(const VecUnary& work, std::byte* sram, const LevelTable& table) {
    const std::byte* input = sram + work.inputSram;
    std::byte* output = sram + work.outputSram;
    for (std::uint32_t i = 0; i < work.count; ++i) {
        output[i] = static_cast<std::byte>(table[std::to_integer<std::uint8_t>(input[i])]);
    }
}

// Table of an 8-bit function, indexed by the stored byte of the input.
template <typename Function>
LevelTable makeTable(ElementType inputType, Function&& function) {
    LevelTable table;
    for (unsigned byte = 0; byte < table.size(); ++byte) {
        const auto stored = static_cast<std::uint8_t>(byte);
        const std::int32_t value = inputType == ElementType::kInt8
                                           ? static_cast<std::int8_t>(stored)
                                           : std::int32_t{stored};
        table[byte] = static_cast<std::uint8_t>(function(value));
    }
    return table;
}

template <typename Input, typename Output, typename Function>
void mapSram(const VecUnary& work, std::byte* sram, Function&& function) {
    const std::byte* input = sram + work.inputSram;
    std::byte* output = sram + work.outputSram;
    for (std::uint32_t i = 0; i < work.count; ++i) {
        storeElement<Output>(output, i, function(loadElement<Input>(input, i)));
    }
}

void clampElements(const VecUnary& work, std::byte* sram) {
    const OutputStage& stage = work.outputStage;
    const auto clampInteger = [&](std::int32_t value) {
        return std::min(std::max(value, stage.clampMin), stage.clampMax);
    };
    switch (work.inputType) {
        case ElementType::kInt8:
        case ElementType::kUint8:
            return mapBytes(work, sram, makeTable(work.inputType, clampInteger));
        case ElementType::kInt32:
            return mapSram<std::int32_t, std::int32_t>(work, sram, clampInteger);
        case ElementType::kFloat32:
            return mapSram<float, float>(work, sram, FloatClamp(stage));
    }
}

void lookUp(const VecUnary& work, std::byte* sram) {
    LevelTable table;
    std::memcpy(table.data(), sram + work.tableSram, table.size());
    mapBytes(work, sram, table);
}

// Nearest integer, ties away from zero, of a value that may lie far outside the 8-bit range or be a
// NaN.
std::int32_t roundToInteger(float value) {
    constexpr float kFar = 1e6F;  // chosen: beyond every clamp even with the zero point added
    if (std::isnan(value)) {
        return 0;
    }
    return static_cast<std::int32_t>(std::round(std::min(std::max(value, -kFar), kFar)));
}

void quantize(const VecUnary& work, std::byte* sram) {
    const OutputStage& stage = work.outputStage;
    mapSram<float, std::uint8_t>(work, sram, [&](float value) {
        const std::int32_t level = wrappingAdd(roundToInteger(value / work.scale), stage.zeroPoint);
        return static_cast<std::uint8_t>(std::min(std::max(level, stage.clampMin), stage.clampMax));
    });
}

void dequantize(const VecUnary& work, std::byte* sram) {
    withElementType(work.inputType, [&](auto tag) {
        using Input = decltype(tag);
        mapSram<Input, float>(work, sram, [&](Input value) {
            const std::int32_t level =
                    wrappingSubtract(static_cast<std::int32_t>(value), work.inputZeroPoint);
            return static_cast<float>(level) * work.scale;
        });
    });
}

void requantize(const VecUnary& work, std::byte* sram) {
    mapBytes(work, sram, makeTable(work.inputType, [&](std::int32_t value) {
                 return applyOutputStage(work.outputStage,
                                         wrappingSubtract(value, work.inputZeroPoint));
             }));
}

}  // namespace

void vecUnary(const VecUnary& work, std::byte* sram) {
    switch (work.kind) {
        case UnaryKind::kClamp:
            return clampElements(work, sram);
        case UnaryKind::kLut:
            return lookUp(work, sram);
        case UnaryKind::kLogistic:
            return mapSram<float, float>(work, sram, logistic);
        case UnaryKind::kQuantize:
            return quantize(work, sram);
        case UnaryKind::kDequantize:
            return dequantize(work, sram);
        case UnaryKind::kRequantize:
            return requantize(work, sram);
    }
}

}  // namespace vnpu::hw::kernels
