// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hardware/neuralnetworks/1.3/types.h>

#include "driver/result.h"

namespace vnpu::driver {

// What callers of earlier HAL versions say, in the words of 1.3. The results borrow the handles of
// pools: they are good only while the original is, and no descriptor is duplicated.

android::hardware::neuralnetworks::V1_3::Request borrowRequest(
        const android::hardware::neuralnetworks::V1_0::Request& request);

// INVALID_ARGUMENT for what the model's version does not have: types, lifetimes, operations, and
// forms of operations.
Result<android::hardware::neuralnetworks::V1_3::Model> borrowModel(
        const android::hardware::neuralnetworks::V1_0::Model& model);
Result<android::hardware::neuralnetworks::V1_3::Model> borrowModel(
        const android::hardware::neuralnetworks::V1_1::Model& model);
Result<android::hardware::neuralnetworks::V1_3::Model> borrowModel(
        const android::hardware::neuralnetworks::V1_2::Model& model);

}  // namespace vnpu::driver
