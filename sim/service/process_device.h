// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <string>

namespace vnpu::sim {

/// The configuration of VNPU_CONFIG, else "edge".
std::string processDeviceConfig();

/// The instance name of a configuration's device: "vnpu-edge".
std::string processDeviceName(const std::string& config);

/// Boots the one device of this process, with the settings of VNPU_DEVICE, VNPU_PACE and VNPU_LOG
/// (README.md). It exists until the end of the process, because callers may hold it until then.
/// Null if it cannot be started, with a line on stderr. To be called once. Any thread.
android::sp<android::hardware::neuralnetworks::V1_3::IDevice> startProcessDevice(
        const std::string& config);

}  // namespace vnpu::sim
