// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hardware/neuralnetworks/1.3/types.h>

namespace vnpu::driver {

// How the device compares with the host's processor, in the words of each HAL version. The numbers
// are there for the NNAPI runtime to prefer the device; nothing of the model depends on them.

android::hardware::neuralnetworks::V1_0::Capabilities capabilities_1_0();
android::hardware::neuralnetworks::V1_1::Capabilities capabilities_1_1();
android::hardware::neuralnetworks::V1_2::Capabilities capabilities_1_2();
android::hardware::neuralnetworks::V1_3::Capabilities capabilities_1_3();

}  // namespace vnpu::driver
