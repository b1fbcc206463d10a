// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/ndk/device/device.h"

namespace vnpu::sim::ndk {

/// The devices of this process: those of the service at VNPU_SOCKET if that is set, else one in
/// this process (VNPU_CONFIG), and last the CPU. Made by the first call; exists until the process
/// ends. Any thread.
const std::vector<std::shared_ptr<Device>>& devices();

}  // namespace vnpu::sim::ndk
