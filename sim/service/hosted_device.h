// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "driver/api/options.h"
#include "sim/service/service_status.h"
#include "vnpu/hal/rpc_limits.h"

namespace vnpu::sim {

/// A device that a service offers. Any thread.
class HostedDevice {
  public:
    struct Options {
        std::string config = "edge";
        std::string pace = "max";
        std::string deviceFile{};  // as for loadDeviceSettings
        std::uint64_t seed = 1;    // of faults with a chance
        hal::RpcLimits limits;
        driver::UserLimits userLimits;
        bool isLogging = false;               // print the driver's reasons on stderr
        std::string traces;                   // kinds, as for TraceFiles
        std::filesystem::path traceFolder{};  // must exist
    };

    virtual ~HostedDevice() = default;

    virtual android::sp<android::hardware::neuralnetworks::V1_3::IDevice> device() const = 0;
    /// Adds the resources that the device holds; a device that died holds none.
    virtual void addTo(ServiceStatus& status) const = 0;
    /// Waits for the background work of the driver.
    virtual void settle() {}

    /// A device in this process, once per process. Throws InputError for an invalid configuration,
    /// device file or pace, std::runtime_error where the device does not boot.
    static std::unique_ptr<HostedDevice> createHere(const Options& options);
    /// A device in a process of its own, which ends with this object. Throws std::runtime_error if
    /// it does not start.
    static std::unique_ptr<HostedDevice> createApart(const Options& options);
};

}  // namespace vnpu::sim
