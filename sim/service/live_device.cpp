// SPDX-License-Identifier: Apache-2.0
#include "sim/service/live_device.h"

namespace vnpu::sim {

namespace {

LivePlatform::Options withSettings(LivePlatform::Options options, const DeviceSettings& settings,
                                   hw::FaultInjector& injector) {
    options.scheduling = driverScheduling(settings.scheduling, options.config.clockKhz);
    options.onChip = settings.onChip;
    options.faults = settings.faults.empty() ? nullptr : &injector;
    return options;
}

}  // namespace

LiveDevice::LiveDevice(const LivePlatform::Options& options, const DeviceSettings& settings,
                       std::uint64_t seed)
    : injector_(seed),
      hasFaults_(!settings.faults.empty()),
      platform_(withSettings(options, settings, injector_)) {
    if (hasFaults_) {
        platform_.runOnDevice([&] {
            armFaults(settings.faults, static_cast<std::uint64_t>(platform_.port().now().count()),
                      options.config.clockKhz, injector_);
        });
    }
}

std::uint64_t LiveDevice::injectedFaults() {
    std::uint64_t count = 0;
    if (hasFaults_) {
        platform_.runOnDevice([&] { count = injector_.injected().size(); });
    }
    return count;
}

}  // namespace vnpu::sim
