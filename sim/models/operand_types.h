// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vnpu::sim {

namespace nn = android::hardware::neuralnetworks::V1_3;
namespace nn10 = android::hardware::neuralnetworks::V1_0;
namespace nn11 = android::hardware::neuralnetworks::V1_1;
namespace nn12 = android::hardware::neuralnetworks::V1_2;

/// Bytes of one element or scalar; 0 for SUBGRAPH and OEM types.
std::uint32_t elementBytes(nn::OperandType type);

/// Whether the type has dimensions.
bool isTensor(nn::OperandType type);

/// Whether the type has 8-bit quantized values.
bool isQuant8(nn::OperandType type);

/// Whether the model holds the operand's value, in itself or in a pool.
constexpr bool isConstant(nn::OperandLifeTime lifetime) {
    return lifetime == nn::OperandLifeTime::CONSTANT_COPY ||
           lifetime == nn::OperandLifeTime::CONSTANT_REFERENCE;
}

/// Product of the dimensions, saturated at 2^64 - 1; 1 for none, 0 if one is 0.
std::uint64_t elementCount(std::span<const std::uint32_t> dimensions);

/// Bytes of a dense operand, saturated; 0 where a dimension is 0 (unknown).
std::uint64_t operandBytes(nn::OperandType type, std::span<const std::uint32_t> dimensions);

/// The enumerator with that name, or nothing.
std::optional<nn::OperandType> operandTypeOf(std::string_view name);
std::optional<nn::OperationType> operationTypeOf(std::string_view name);
std::optional<nn::OperandLifeTime> operandLifeTimeOf(std::string_view name);

/// Name of an enumerator, for messages ("TENSOR_FLOAT32"); hexadecimal for an unknown value.
std::string nameOf(nn::OperandType type);
std::string nameOf(nn::OperationType type);
std::string nameOf(nn::ErrorStatus status);

/// "1x224x224x3", "scalar" for none.
std::string describeDimensions(std::span<const std::uint32_t> dimensions);

}  // namespace vnpu::sim
