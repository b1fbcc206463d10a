// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw_model/blocks/base/fault_injector.h"
#include "sim/platform/live_platform.h"
#include "sim/scenario/device_settings.h"

namespace vnpu::sim {

/// A live platform with the settings of a device file. Its faults wait until the device has booted,
/// and their times count from then. Any thread.
class LiveDevice {
  public:
    /// `options` is the platform without scheduling and faults; its configuration contains the
    /// overrides of the settings. `seed` is that of faults with a chance. Throws as LivePlatform.
    LiveDevice(const LivePlatform::Options& options, const DeviceSettings& settings,
               std::uint64_t seed = 1);

    LivePlatform& platform() { return platform_; }

    /// Faults that have happened so far.
    std::uint64_t injectedFaults();

  private:
    hw::FaultInjector injector_;  // simulation thread
    const bool hasFaults_;
    LivePlatform platform_;
};

}  // namespace vnpu::sim
