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
#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// What the body of a client may use. All calls come from that client's own simulated thread.
class ClientContext {
  public:
    virtual ~ClientContext() = default;
    virtual const std::string& name() const = 0;
    virtual std::uint32_t uid() const = 0;
    virtual android::sp<android::hardware::neuralnetworks::V1_3::IDevice> device() = 0;
    virtual std::chrono::nanoseconds now() = 0;
    virtual void sleepUntil(std::chrono::nanoseconds time) = 0;
    /// An event to wait for without stopping simulated time for the others.
    virtual std::unique_ptr<driver::HostEvent> createEvent() = 0;
    /// The device from below; std::logic_error where it is in another process.
    virtual driver::DevicePort& port() = 0;
    /// Whether this is a thread of the operating system, which may block in it.
    virtual bool hasSystemThread() { return port().hasSystemThreads(); }
};

/// A device, its firmware, the driver and client threads, in virtual time. SystemC elaborates once
/// per process, so there is at most one Platform in the life of a process. Deterministic.
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
    };

    explicit Platform(Options options);
    ~Platform();

    /// Adds a client whose body runs on a simulated thread of its own once the driver has booted
    /// the device. Before run(). An exception out of a body ends the run and comes out of run().
    void addClient(std::string name, std::uint32_t uid, std::function<void(ClientContext&)> body);

    /// Runs until every client's body has returned. Throws std::runtime_error if the device does
    /// not boot or if every client waits for something that can no longer happen.
    void run();

    /// Device time at which the simulation stands.
    std::chrono::nanoseconds now() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace vnpu::sim
