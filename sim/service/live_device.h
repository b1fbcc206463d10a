// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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
    struct Injected {
        std::uint64_t count = 0;
        std::vector<hw::InjectedFault> latest;  // at most kKept, by time
    };
    static constexpr std::size_t kKept = 64;  // chosen: more than a screen shows
    Injected injected();

  private:
    hw::FaultInjector injector_;  // simulation thread
    const bool hasFaults_;
    LivePlatform platform_;
};

}  // namespace vnpu::sim
