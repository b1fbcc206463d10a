// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include "driver/result.h"
#include "driver/validation/hal_version.h"

namespace vnpu::driver {

/// Whether a model keeps the rules of HAL 1.3; INVALID_ARGUMENT with the rule that it breaks.
/// Nothing in the model is trusted. Handles of pools are not checked. Extension operands and
/// operations are accepted if their prefix is declared. Operations, and types and forms of
/// operations, that came after `version` are refused.
Result<void> validateModel(const android::hardware::neuralnetworks::V1_3::Model& model,
                           HalVersion version = HalVersion::k13);

}  // namespace vnpu::driver
