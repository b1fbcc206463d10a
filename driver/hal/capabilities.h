// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

namespace vnpu::driver {

/// The device's speed and power relative to the host's processor. The NNAPI runtime prefers the
/// device because of them; the simulation does not use them.
android::hardware::neuralnetworks::V1_3::Capabilities capabilities();

}  // namespace vnpu::driver
