// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

namespace vnpu::driver {

/// How the device compares with the host's processor. The numbers are there for the NNAPI runtime
/// to prefer the device; nothing of the model depends on them.
android::hardware::neuralnetworks::V1_3::Capabilities capabilities();

}  // namespace vnpu::driver
