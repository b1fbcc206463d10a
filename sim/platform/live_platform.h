// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/platform/pace.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

/// A device, its firmware and the driver for callers on ordinary threads; the device is simulated
/// on a thread of its own (LivePort). Deadlines are those of the steady clock, as in NNAPI, and
/// grant the remaining time as device time. A process has at most one platform of any kind, because
/// SystemC elaborates once. Not deterministic: concurrent calls depend on the host.
class LivePlatform {
  public:
    struct Options {
        hw::NpuConfig config;
        Pace pace = Pace::maximum();
        hw::DeviceObserver* deviceObserver = nullptr;      // not owned, may be null
        driver::DriverObserver* driverObserver = nullptr;  // not owned, may be null; any thread
        driver::UserLimits userLimits{};
        driver::SchedulingOptions scheduling{};
        driver::OnChipOptions onChip{};
        hw::FaultInjector* faults = nullptr;  // not owned, may be null
    };

    /// Boots the device; throws std::runtime_error if it does not.
    explicit LivePlatform(const Options& options);
    /// Every object that the device returned must have been released.
    ~LivePlatform();
    LivePlatform(const LivePlatform&) = delete;
    LivePlatform& operator=(const LivePlatform&) = delete;

    const android::sp<android::hardware::neuralnetworks::V1_3::IDevice>& device() const;
    driver::DevicePort& port();

    /// Runs `work` on the simulation thread, which owns the device, and waits for it.
    void runOnDevice(const std::function<void()>& work);

    /// Processor time that the simulation of the device has used so far.
    std::chrono::nanoseconds simulationTime() const;

    /// Waits until the driver has finished its background work, such as releasing the objects of an
    /// execution.
    void settle();

    /// Stops simulated time permanently, even if threads wait: for the end of a process.
    void freeze();

    /// A caller with an Android UID of its own.
    struct Client {
        std::string name;
        std::uint32_t uid = 0;
        std::function<void(ClientContext&)> body;
    };
    /// Runs the body of each client on a thread of its own until all have returned. Rethrows the
    /// first exception of a body. Settles.
    void run(const std::vector<Client>& clients);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace vnpu::sim
