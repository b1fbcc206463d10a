// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/models/network.h"

namespace vnpu::sim::media {

/// The bytes of a tensor with these real values: rounded to the nearest (halves to even) and
/// clamped to the type's range; quantized types by scale and zero point, a scale of zero counting
/// as one. NaN becomes the zero point of an integer type. Throws InputError for a type that is no
/// tensor of numbers.
std::vector<std::byte> tensorBytes(const TensorDescription& tensor, std::span<const float> values);

/// Bytes of one element; 0 for a type that is no tensor of numbers.
std::size_t bytesOfElement(const TensorDescription& tensor);

bool isFloatTensor(const TensorDescription& tensor);

/// The value of a 16-bit IEEE 754 number.
double halfToDouble(std::uint16_t bits);

/// Element `index` of a dense tensor's bytes as it is stored: quantized values without scale and
/// zero point, booleans as 0 or 1.
double elementValue(android::hardware::neuralnetworks::V1_3::OperandType type,
                    std::span<const std::byte> bytes, std::size_t index);

}  // namespace vnpu::sim::media
