// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include "driver/result.h"

namespace vnpu::driver {

/// Whether a request fits a valid model; INVALID_ARGUMENT with the rule that it breaks. Whether an
/// output's memory is large enough is not a rule: the execution answers OUTPUT_INSUFFICIENT_SIZE.
/// Tokens of memory domains are checked as far as that is possible without their buffers.
Result<void> validateRequest(const android::hardware::neuralnetworks::V1_3::Request& request,
                             const android::hardware::neuralnetworks::V1_3::Model& model);

/// The rest of the rules for a valid request with an output in a buffer of a memory domain: whether
/// inputs have the bytes of their shapes. To be called once the request's shapes agree with the
/// buffers'. GENERAL_FAILURE if only the request gives the shape, otherwise INVALID_ARGUMENT.
Result<void> checkInputsForBuffers(const android::hardware::neuralnetworks::V1_3::Request& request,
                                   const android::hardware::neuralnetworks::V1_3::Model& model);

/// HAL 1.3 lets a loop run for 15 seconds at most; without a duration, for 2.
Result<void> checkLoopTimeout(
        const android::hardware::neuralnetworks::V1_3::OptionalTimeoutDuration& duration);

}  // namespace vnpu::driver
