// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "driver/api/observer.h"
#include "hw_model/timing/npu_config.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

/// Boots the device behind a raw node of the kernel driver with this process's driver, runs `body`
/// as its client on this thread, and gives the device back. `observer` may be null; any thread.
/// `body` also receives what the device's registers report as a configuration, which has neither
/// energy nor times. Throws InputError if the node cannot be opened, and std::runtime_error if the
/// device does not boot.
void runOnKernelDriver(
        const std::string& node, driver::DriverObserver* observer,
        const std::function<void(ClientContext& context, const hw::NpuConfig& config)>& body);

}  // namespace vnpu::sim
