// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace vnpu::driver {

/// The rules of HAL 1.3 for one operand type, except for those of extensions.
struct OperandTypeFacts {
    bool isScalar = false;
    std::uint32_t elementBytes = 0;  // 0: no fixed size (OEM, SUBGRAPH)
    enum class Scale : std::uint8_t { kZero, kNotNegative, kPositive, kAny } scale = Scale::kZero;
    std::int32_t lowestZeroPoint = 0;
    std::int32_t highestZeroPoint = 0;
};

/// Facts of a type, or nothing for a number that is no type of HAL 1.3 (an extension's included).
std::optional<OperandTypeFacts> factsOf(android::hardware::neuralnetworks::V1_3::OperandType type);

/// Types and operations above the base range belong to extensions: 16 bits of prefix, 16 bits of
/// type.
template <typename Enumeration>
constexpr bool isExtension(Enumeration type) {
    return static_cast<std::int32_t>(type) >
           static_cast<std::int32_t>(std::numeric_limits<std::uint16_t>::max());
}
template <typename Enumeration>
constexpr std::uint16_t extensionPrefix(Enumeration type) {
    return static_cast<std::uint16_t>(static_cast<std::uint32_t>(type) >> 16);
}

/// Whether the model declares an extension with this prefix.
bool hasExtension(const android::hardware::neuralnetworks::V1_3::Model& model,
                  std::uint16_t prefix);

/// Bytes of an operand's value, or nothing where a dimension is unknown, the type has no fixed
/// size, or the value takes 2^32 bytes or more.
std::optional<std::uint32_t> sizeOfData(
        android::hardware::neuralnetworks::V1_3::OperandType type,
        const android::hardware::hidl_vec<std::uint32_t>& dimensions);

}  // namespace vnpu::driver
