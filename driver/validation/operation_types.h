// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/validation/operation_table.h"

namespace vnpu::driver {

// Sets of types that rows of several families share.

using OperationType = android::hardware::neuralnetworks::V1_3::OperationType;
using OperandType = android::hardware::neuralnetworks::V1_3::OperandType;

inline constexpr TypeSet kFloat32 = typeBit(OperandType::TENSOR_FLOAT32);
inline constexpr TypeSet kFloat16 = typeBit(OperandType::TENSOR_FLOAT16);
inline constexpr TypeSet kInt32 = typeBit(OperandType::TENSOR_INT32);
inline constexpr TypeSet kBool8 = typeBit(OperandType::TENSOR_BOOL8);
inline constexpr TypeSet kUnsigned8 = typeBit(OperandType::TENSOR_QUANT8_ASYMM);
inline constexpr TypeSet kSigned8 = typeBit(OperandType::TENSOR_QUANT8_ASYMM_SIGNED);
inline constexpr TypeSet kSymmetric8 = typeBit(OperandType::TENSOR_QUANT8_SYMM);
inline constexpr TypeSet kPerChannel8 = typeBit(OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL);
inline constexpr TypeSet kAsymmetric16 = typeBit(OperandType::TENSOR_QUANT16_ASYMM);
inline constexpr TypeSet kSymmetric16 = typeBit(OperandType::TENSOR_QUANT16_SYMM);

/// The two floats.
inline constexpr TypesSince kFloats[] = {{HalVersion::k10, kFloat32}, {HalVersion::k12, kFloat16}};
/// Floats, and 8 bits from the beginning.
inline constexpr TypesSince kUsual[] = {{HalVersion::k10, kFloat32 | kUnsigned8},
                                        {HalVersion::k12, kFloat16},
                                        {HalVersion::k13, kSigned8}};
/// Floats, and 8 bits since 1.2.
inline constexpr TypesSince kLaterQuantized[] = {{HalVersion::k10, kFloat32},
                                                 {HalVersion::k12, kFloat16 | kUnsigned8},
                                                 {HalVersion::k13, kSigned8}};
/// Types of most operations that 1.2 introduced.
inline constexpr TypesSince kArrays[] = {
        {HalVersion::k12, kFloat32 | kFloat16 | kInt32 | kUnsigned8}, {HalVersion::k13, kSigned8}};
/// Floats, and integers since 1.3.
inline constexpr TypesSince kFloatsAndIntegers[] = {
        {HalVersion::k10, kFloat32}, {HalVersion::k12, kFloat16}, {HalVersion::k13, kInt32}};
inline constexpr TypesSince kBooleans[] = {{HalVersion::k12, kBool8}};

}  // namespace vnpu::driver
