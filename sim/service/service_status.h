// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "driver/api/driver_counters.h"
#include "sim/scenario/device_settings_text.h"
#include "sim/service/load_meter.h"
#include "vnpu/hal/rpc_client.h"
#include "vnpu/hal/rpc_server.h"

namespace vnpu::sim {

/// A device: how it is set up, what its driver holds, and its work so far.
struct DeviceStatus {
    std::string name;  // of its service
    std::string pace;
    DeviceSettingsText inForce;
    std::uint64_t injectedFaults = 0;
    driver::DriverCounters driver;
    std::uint64_t simulationNs = 0;  // processor time of the device's simulation so far
    std::uint64_t deviceNs = 0;      // device time since power-on
    DeviceLoad load;
    std::map<std::uint32_t, std::chrono::nanoseconds> userTimes;  // driver::deviceTimesOf()
    nlohmann::ordered_json activity = nullptr;  // activityJson(); null: the device died
    nlohmann::ordered_json injected = nlohmann::ordered_json::array();  // injectedJson()
};

/// Resources that a service holds, and its work, at one moment.
struct ServiceStatus {
    std::vector<DeviceStatus> devices;
    // For all processes of the service.
    std::uint64_t descriptors = 0;  // open ones
    std::uint64_t threads = 0;
    std::uint64_t residentBytes = 0;
    std::vector<hal::RpcServer::Usage> users;
};

/// The resources of this process; the rest of the status is left out.
ServiceStatus statusOfProcess();

/// The status as JSON. Times of jobs and faults are in ns of device time since power-on.
std::string statusJson(const ServiceStatus& status);

/// The name of the object that reports the status of a service as JSON, through IBase::debug.
inline constexpr const char* kStatusService = "vnpu-status";

/// Writes the status to the file of the handle that debug() gets.
class StatusReporter : public android::hidl::base::V1_0::IBase {
  public:
    explicit StatusReporter(std::function<ServiceStatus()> ask) : ask_(std::move(ask)) {}

    /// ILLEGAL_ARGUMENT for anything but a regular file, because the reader of another file might
    /// never read the text.
    android::hardware::Return<void> debug(
            const android::hardware::hidl_handle& handle,
            const android::hardware::hidl_vec<android::hardware::hidl_string>& options) override;

  private:
    const std::function<ServiceStatus()> ask_;
};

/// The status of a service; throws std::runtime_error if it does not report one.
ServiceStatus readStatus(hal::RpcClient& client);

}  // namespace vnpu::sim
