// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driver/validation/hal_version.h"

namespace vnpu::driver {

/// The operands of one operation, with indexes that were checked, and where they stand.
struct OperationView {
    std::vector<const android::hardware::neuralnetworks::V1_3::Operand*> inputs;
    std::vector<const android::hardware::neuralnetworks::V1_3::Operand*> outputs;
    const android::hardware::neuralnetworks::V1_3::Model* model = nullptr;
    HalVersion version = HalVersion::k13;
};

/// A set of operand types below 16, which all fundamental types of HAL 1.3 are.
using TypeSet = std::uint32_t;
constexpr TypeSet typeBit(android::hardware::neuralnetworks::V1_3::OperandType type) {
    return TypeSet{1} << static_cast<std::uint32_t>(type);
}

/// Types that an operation takes since a version.
struct TypesSince {
    HalVersion since;
    TypeSet types;
};
using Types = std::span<const TypesSince>;

/// A relation between the operands of an operation that fits its signature; what is wrong, or
/// nothing.
using OperandRelation = std::optional<std::string> (*)(const OperationView& operation);

/// One way to call an operation. Inputs and outputs are rows of letters, one per operand:
///   T  tensor of one of `types`, the same for every T        U  likewise of `otherTypes`
///   F  filter: as T, or per-channel quantised where T is an 8-bit asymmetric type
///   B  bias: as T for floats, TENSOR_INT32 for the quantised
///   R  regions: as T, TENSOR_QUANT16_ASYMM where T has 8 bits
///   N  anchors: as T, TENSOR_QUANT16_SYMM where T has 8 bits
///   D  changes of boxes: as T, an 8-bit asymmetric type where T is TENSOR_QUANT16_ASYMM
///   i  INT32     b  BOOL     s  FLOAT32     f  FLOAT16 where T is TENSOR_FLOAT16, else FLOAT32
///   e  scalar of T's elements     p  the same, INT32 where T is quantised
///   v  TENSOR_INT32     k  TENSOR_BOOL8     h  TENSOR_QUANT8_ASYMM     g  the signed one
///   y  TENSOR_QUANT8_SYMM     z  TENSOR_QUANT16_SYMM     M  SUBGRAPH     X  anything
/// After a letter may stand:
///   a digit  its rank     <  rank up to 4     >  rank from 2     ~  rank 2 to 4
///   ?  may be left out     +  once or more     *  any number of times (one of these in a row)
struct SignatureForm {
    std::string_view inputs;
    std::string_view outputs;
    HalVersion since = HalVersion::k10;
};

/// What HAL 1.3 says of the operands of one operation. A form of it is there since the version of
/// operation, form and types, whichever is the latest.
struct OperationSignature {
    android::hardware::neuralnetworks::V1_3::OperationType type;
    HalVersion since;
    Types types;
    Types otherTypes;  // empty where no U occurs
    std::span<const SignatureForm> forms;
    std::span<const OperandRelation> relations;
};

/// The signature of an operation, or null: an extension's, OEM_OPERATION, a number that is none.
const OperationSignature* findSignature(
        android::hardware::neuralnetworks::V1_3::OperationType type);

// The rows by family.
std::span<const OperationSignature> elementwiseSignatures();
std::span<const OperationSignature> convolutionSignatures();
std::span<const OperationSignature> reductionSignatures();
std::span<const OperationSignature> rearrangementSignatures();
std::span<const OperationSignature> lookupSignatures();
std::span<const OperationSignature> recurrentSignatures();
std::span<const OperationSignature> detectionSignatures();
std::span<const OperationSignature> controlSignatures();

}  // namespace vnpu::driver
