// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/operation_table.h"

namespace vnpu::driver {

const OperationSignature* findSignature(
        android::hardware::neuralnetworks::V1_3::OperationType type) {
    for (const OperationFamily* family :
         {&kElementwiseFamily, &kConvolutionFamily, &kReductionFamily, &kRearrangementFamily,
          &kLookupFamily, &kRecurrentFamily, &kDetectionFamily, &kControlFamily}) {
        for (const OperationSignature& signature : *family) {
            if (signature.type == type) {
                return &signature;
            }
        }
    }
    return nullptr;
}

}  // namespace vnpu::driver
