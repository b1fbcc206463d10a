// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "driver/api/device.h"
#include "driver/execution/compiler_functions.h"
#include "driver/port/device_port.h"
#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/blocks/base/fault_injector.h"
#include "hw_model/regs/register_map.h"
#include "hw_model/timing/npu_config.h"
#include "sim/bringup/bus_observer.h"

namespace vnpu::sim {

/// The interface of a client's body. All calls come from that client's own simulated thread.
class ClientContext {
  public:
    virtual ~ClientContext() = default;
    virtual const std::string& name() const = 0;
    virtual std::uint32_t uid() const = 0;
    virtual android::sp<android::hardware::neuralnetworks::V1_3::IDevice> device() = 0;
    virtual std::chrono::nanoseconds now() = 0;
    virtual void sleepUntil(std::chrono::nanoseconds time) = 0;
    /// An event on which a client waits while simulated time continues for the others.
    virtual std::unique_ptr<driver::HostEvent> createEvent() = 0;
    /// The device port; throws std::logic_error where the device is in another process.
    virtual driver::DevicePort& port() = 0;
    /// Whether the client runs on a thread of the operating system, where system calls may block.
    virtual bool hasSystemThread() { return port().hasSystemThreads(); }
};

/// A device, its firmware, the driver and client threads in virtual time. A process has at most one
/// Platform, because SystemC elaborates once. Deterministic.
class Platform {
  public:
    struct Options {
        hw::NpuConfig config;
        hw::DeviceObserver* deviceObserver = nullptr;      // not owned, may be null
        driver::DriverObserver* driverObserver = nullptr;  // not owned, may be null
        driver::SchedulingOptions scheduling = {};
        hw::FaultInjector* faults = nullptr;                  // not owned, may be null
        std::function<bool(std::uint64_t callId)> insists{};  // driver::AdmissionExperiments
        driver::CompilerFunctions compiler = {};
        BusObserver* busObserver = nullptr;  // not owned, may be null
        driver::OnChipOptions onChip = {};
    };

    explicit Platform(Options options);
    ~Platform();

    /// Adds a client whose body runs on a simulated thread of its own once the driver has booted
    /// the device. To be called before run(). An exception of a body ends the run and is rethrown
    /// by run().
    void addClient(std::string name, std::uint32_t uid, std::function<void(ClientContext&)> body);

    /// Runs until the bodies of all clients have returned. Throws std::runtime_error if the device
    /// does not boot, or if every client waits for an event that can no longer happen.
    void run();

    /// The device time of the simulation.
    std::chrono::nanoseconds now() const;

    /// PERF_COUNTER `event` of the device; takes no simulated time.
    std::uint64_t count(hw::regs::PerfEvent event) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace vnpu::sim
