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

/// A device, its firmware and the driver for callers on ordinary threads: the device is simulated
/// on a thread of the platform's own (LivePort). Deadlines count from the steady clock, as NNAPI's
/// do, and grant that much device time. At most one platform of any kind in the life of a process,
/// as SystemC elaborates once. Not deterministic: what threads do at the same time is up to the
/// host.
class LivePlatform {
  public:
    struct Options {
        hw::NpuConfig config;
        Pace pace = Pace::maximum();
        hw::DeviceObserver* deviceObserver = nullptr;      // not owned, may be null
        driver::DriverObserver* driverObserver = nullptr;  // not owned, may be null; any thread
        driver::UserLimits userLimits{};
    };

    /// Boots the device; throws std::runtime_error if it does not.
    explicit LivePlatform(const Options& options);
    /// Every object that the device gave out must be gone.
    ~LivePlatform();
    LivePlatform(const LivePlatform&) = delete;
    LivePlatform& operator=(const LivePlatform&) = delete;

    const android::sp<android::hardware::neuralnetworks::V1_3::IDevice>& device() const;
    driver::DevicePort& port();

    /// Processor time that the simulation of the device has taken so far.
    std::chrono::nanoseconds simulationTime() const;

    /// Waits until the driver's own threads are done with what they do behind the callers' backs,
    /// such as to let go of what an execution held.
    void settle();

    /// Stops simulated time for good, whoever waits: for the end of a process.
    void freeze();

    /// A caller with an Android UID of its own.
    struct Client {
        std::string name;
        std::uint32_t uid = 0;
        std::function<void(ClientContext&)> body;
    };
    /// Runs each client's body on a thread of its own, side by side, until all have returned. The
    /// first exception out of a body comes out of here. Settles.
    void run(const std::vector<Client>& clients);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace vnpu::sim
