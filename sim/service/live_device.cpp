// SPDX-License-Identifier: Apache-2.0
#include "sim/service/live_device.h"

#include <algorithm>

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

LiveDevice::Injected LiveDevice::injected() {
    Injected injected;
    if (hasFaults_) {
        platform_.runOnDevice([&] {
            const std::vector<hw::InjectedFault>& all = injector_.injected();
            const std::size_t kept = std::min(all.size(), kKept);
            injected = {all.size(), {all.end() - static_cast<std::ptrdiff_t>(kept), all.end()}};
        });
    }
    return injected;
}

}  // namespace vnpu::sim
