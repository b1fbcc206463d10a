// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vnpu::driver {

/// The operands of one operation, with indexes that were checked.
struct OperationView {
    std::vector<const android::hardware::neuralnetworks::V1_3::Operand*> inputs;
    std::vector<const android::hardware::neuralnetworks::V1_3::Operand*> outputs;
};

/// A set of operand types below 16, which all fundamental types of HAL 1.3 are.
using TypeSet = std::uint32_t;
constexpr TypeSet typeBit(android::hardware::neuralnetworks::V1_3::OperandType type) {
    return TypeSet{1} << static_cast<std::uint32_t>(type);
}

/// A relation between the operands of an operation that fits its signature; what is wrong, or
/// nothing.
using OperandRelation = std::optional<std::string> (*)(const OperationView& operation);

/// The signature of an operation. A form is a row of letters, one per input in their order:
///   T  tensor of one of `types`, the same type for every T and for T among the outputs
///   U  any tensor of `outputTypes`, likewise the same for every U
///   F  filter: as T, or per-channel quantised where T is an 8-bit asymmetric type
///   B  bias: as T for floats, TENSOR_INT32 for the quantised
///   i  INT32    b  BOOL    f  FLOAT16 where T is TENSOR_FLOAT16, else FLOAT32    v  TENSOR_INT32
///   +  the letter before it once more, any number of times
struct OperationSignature {
    android::hardware::neuralnetworks::V1_3::OperationType type;
    TypeSet types;
    TypeSet outputTypes;  // 0 where no U occurs
    std::span<const std::string_view> inputForms;
    std::string_view outputs;
    std::span<const OperandRelation> relations;
};

/// The signature of an operation, or null for one that the table does not have yet.
const OperationSignature* findSignature(
        android::hardware::neuralnetworks::V1_3::OperationType type);

}  // namespace vnpu::driver
