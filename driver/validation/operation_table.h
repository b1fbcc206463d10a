// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "driver/result.h"
#include "driver/validation/hal_version.h"
#include "hw_model/regs/operand_notation.h"

namespace vnpu::driver {

/// The operands of one operation, whose indexes have been checked, and their model.
struct OperationView {
    std::vector<const android::hardware::neuralnetworks::V1_3::Operand*> inputs;
    std::vector<const android::hardware::neuralnetworks::V1_3::Operand*> outputs;
    const android::hardware::neuralnetworks::V1_3::Model* model = nullptr;
    HalVersion version = HalVersion::k13;
};

/// A set of operand types. The numbers of all fundamental types of HAL 1.3 are below 16.
using hw::TypeSet;
constexpr TypeSet typeBit(android::hardware::neuralnetworks::V1_3::OperandType type) {
    return TypeSet{1} << static_cast<std::uint32_t>(type);
}

/// Types that an operation accepts from a HAL version on.
struct TypesSince {
    HalVersion since;
    TypeSet types;
};
using Types = std::span<const TypesSince>;

/// A rule about the operands of an operation that fits its signature.
using OperandRelation = Result<void> (*)(const OperationView& operation);

/// One way to call an operation: a letter for each input and each output, in the notation of
/// hw_model/regs/operand_notation.h.
struct SignatureForm {
    std::string_view inputs;
    std::string_view outputs;
    HalVersion since = HalVersion::k10;
};

/// The rules of HAL 1.3 for the operands of one operation. A call is valid from the latest of three
/// versions on: the operation's, the form's and that of its types.
struct OperationSignature {
    android::hardware::neuralnetworks::V1_3::OperationType type;
    HalVersion since;
    Types types;
    Types otherTypes;  // empty if no form has a U
    std::span<const SignatureForm> forms;
    std::span<const OperandRelation> relations;
};

/// The signature of an operation; null for an extension's operation, OEM_OPERATION and a number
/// that HAL 1.3 does not have.
const OperationSignature* findSignature(
        android::hardware::neuralnetworks::V1_3::OperationType type);

// The rows of each family.
using OperationFamily = std::span<const OperationSignature>;
extern const OperationFamily kElementwiseFamily;
extern const OperationFamily kConvolutionFamily;
extern const OperationFamily kReductionFamily;
extern const OperationFamily kRearrangementFamily;
extern const OperationFamily kLookupFamily;
extern const OperationFamily kRecurrentFamily;
extern const OperationFamily kDetectionFamily;
extern const OperationFamily kControlFamily;

}  // namespace vnpu::driver
