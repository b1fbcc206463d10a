// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hardware/neuralnetworks/1.3/types.h>

#include "driver/result.h"

namespace vnpu::driver {

// Conversions from earlier HAL versions to 1.3. The results borrow the handles of pools: they are
// valid only as long as the original, and no descriptor is duplicated.

android::hardware::neuralnetworks::V1_3::Request borrowRequest(
        const android::hardware::neuralnetworks::V1_0::Request& request);

// INVALID_ARGUMENT for types, lifetimes, operations and forms of operations that the model's
// version does not have.
// Defined for the models of HAL 1.0, 1.1 and 1.2.
template <typename Model>
Result<android::hardware::neuralnetworks::V1_3::Model> borrowModel(const Model& model);

}  // namespace vnpu::driver
