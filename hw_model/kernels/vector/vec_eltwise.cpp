// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/kernels.h"
#include "hw_model/kernels/support/element_access.h"

namespace vnpu::hw::kernels {
namespace {

// Calls `row(a, b, output)` for each innermost row, with the row's first element indices in
// operands and output.
template <typename Row>
void forEachRow(const VecEltwise& work, Row&& row) {
    const auto& s = work.strides;
    std::size_t output = 0;
    for (std::size_t i = 0; i < work.dims[0]; ++i) {
        for (std::size_t j = 0; j < work.dims[1]; ++j) {
            for (std::size_t k = 0; k < work.dims[2]; ++k) {
                row(i * s[0][0] + j * s[0][1] + k * s[0][2],
                    i * s[1][0] + j * s[1][1] + k * s[1][2], output);
                output += work.dims[3];
            }
        }
    }
}

template <typename T, typename Function>
void combineElements(const VecEltwise& work, std::byte* sram, Function&& function) {
    const std::byte* first = sram + work.inputSram[0];
    const std::byte* second = sram + work.inputSram[1];
    std::byte* result = sram + work.outputSram;
    const std::size_t firstStep = work.strides[0][3];
    const std::size_t secondStep = work.strides[1][3];
    const std::size_t count = work.dims[3];
    forEachRow(work, [&](std::size_t a, std::size_t b, std::size_t output) {
        for (std::size_t x = 0; x < count; ++x) {
            storeElement<T>(result, output + x,
                            function(loadElement<T>(first, a + x * firstStep),
                                     loadElement<T>(second, b + x * secondStep)));
        }
    });
}

using OperandTable = std::array<std::int32_t, 256>;

template <typename T>
std::int32_t offsetOperand(const VecEltwise& work, int operand, std::uint32_t byte) {
    const auto stored = static_cast<T>(static_cast<std::uint8_t>(byte));
    return wrappingSubtract(stored, work.inputZeroPoint[operand]);
}

// The contribution of operand value `byte` to the sum: without zero point, shifted left and scaled.
template <typename T>
OperandTable makeAddend(const VecEltwise& work, int operand) {
    OperandTable table;
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
        const std::int32_t offset = offsetOperand<T>(work, operand, byte);
        const auto shifted = static_cast<std::int32_t>(static_cast<std::uint32_t>(offset)
                                                       << (work.leftShift & 31));
        table[byte] = multiplyByQuantizedMultiplier(shifted, work.inputMultiplier[operand],
                                                    work.inputShift[operand]);
    }
    return table;
}

template <typename T>
void addBytes(const VecEltwise& work, std::byte* sram) {
    const OperandTable first = makeAddend<T>(work, 0);
    const OperandTable second = makeAddend<T>(work, 1);
    combineElements<std::uint8_t>(work, sram, [&](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(
                applyOutputStage(work.outputStage, wrappingAdd(first[a], second[b])));
    });
}

template <typename T>
void multiplyBytes(const VecEltwise& work, std::byte* sram) {
    combineElements<std::uint8_t>(work, sram, [&](std::uint8_t a, std::uint8_t b) {
        const std::int32_t product =
                wrappingMultiply(offsetOperand<T>(work, 0, a), offsetOperand<T>(work, 1, b));
        return static_cast<std::uint8_t>(applyOutputStage(work.outputStage, product));
    });
}

template <typename T>
void combineBytes(const VecEltwise& work, std::byte* sram) {
    work.kind == EltwiseKind::kAdd ? addBytes<T>(work, sram) : multiplyBytes<T>(work, sram);
}

void combineFloats(const VecEltwise& work, std::byte* sram) {
    const FloatClamp clamp(work.outputStage);
    if (work.kind == EltwiseKind::kAdd) {
        combineElements<float>(work, sram, [&](float a, float b) { return clamp(a + b); });
    } else {
        combineElements<float>(work, sram, [&](float a, float b) { return clamp(a * b); });
    }
}

void combineIntegers(const VecEltwise& work, std::byte* sram) {
    const OutputStage& stage = work.outputStage;
    combineElements<std::int32_t>(work, sram, [&](std::int32_t a, std::int32_t b) {
        const std::int32_t result =
                work.kind == EltwiseKind::kAdd ? wrappingAdd(a, b) : wrappingMultiply(a, b);
        return std::min(std::max(result, stage.clampMin), stage.clampMax);
    });
}

}  // namespace

void vecEltwise(const VecEltwise& work, std::byte* sram) {
    switch (work.type) {
        case ElementType::kInt8:
            return combineBytes<std::int8_t>(work, sram);
        case ElementType::kUint8:
            return combineBytes<std::uint8_t>(work, sram);
        case ElementType::kInt32:
            return combineIntegers(work, sram);
        case ElementType::kFloat32:
            return combineFloats(work, sram);
    }
}

}  // namespace vnpu::hw::kernels
