// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/operation_table.h"

namespace vnpu::driver {

namespace {

using Family = std::span<const OperationSignature> (*)();
constexpr Family kFamilies[] = {elementwiseSignatures,   convolutionSignatures, reductionSignatures,
                                rearrangementSignatures, lookupSignatures,      recurrentSignatures,
                                detectionSignatures,     controlSignatures};

}  // namespace

const OperationSignature* findSignature(
        android::hardware::neuralnetworks::V1_3::OperationType type) {
    for (const Family family : kFamilies) {
        for (const OperationSignature& signature : family()) {
            if (signature.type == type) {
                return &signature;
            }
        }
    }
    return nullptr;
}

}  // namespace vnpu::driver
