// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

namespace vnpu::driver {

/// A copy of everything but the pools' handles: the pools keep their name and size. Who needs their
/// bytes holds a mapping.
android::hardware::neuralnetworks::V1_3::Model copyModel(
        const android::hardware::neuralnetworks::V1_3::Model& model);

}  // namespace vnpu::driver
