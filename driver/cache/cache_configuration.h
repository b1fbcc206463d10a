// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "driver/cache/sha256.h"
#include "driver/port/device_info.h"

namespace vnpu::driver {

/// Identifies everything besides the model that a compilation depends on: the device's
/// configuration, the versions of architecture and command stream, the driver's version, and the
/// sources of the compiler in this driver.
Digest cacheConfiguration(const DeviceInfo& device, std::string_view driverVersion);

}  // namespace vnpu::driver
