// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/api/fault_report.h"
#include "driver/result.h"

// What a driver does and has done lately, for people who watch it. Watching changes nothing: it
// takes no device time.

namespace vnpu::driver {

/// A job, from the moment when an execution wants the device. Times are device time since power-on.
struct JobActivity {
    std::uint64_t id = 0;  // 0: it waits before the device and has no number yet
    std::uint32_t uid = 0;
    std::uint32_t halPriority = 0;  // 0 to 2: low, medium, high
    std::chrono::nanoseconds arrival{};
    std::optional<std::chrono::nanoseconds> submitted{};  // on its ring
    std::optional<std::chrono::nanoseconds> deadline{};
    std::chrono::nanoseconds estimate{};  // of its time on the device; 0: unknown
    // Of ended jobs.
    std::optional<std::chrono::nanoseconds> ended{};
    ErrorStatus status = ErrorStatus::NONE;
    std::chrono::nanoseconds onDevice{};  // with saves and restores; 0 without a record
    std::uint32_t preemptions = 0;
    std::shared_ptr<const std::string> model{};  // modelLabel() of what it executes; may be null
};

/// A fault of the device and when the driver reported it.
struct FaultActivity {
    std::chrono::nanoseconds at{};
    FaultReport report;  // without its dump
};

struct DriverActivity {
    std::vector<JobActivity> current;   // by arrival
    std::vector<JobActivity> ended;     // the latest ones, by their ends
    std::vector<FaultActivity> faults;  // the latest ones, by time
    std::uint64_t faultCount = 0;       // of all faults so far
    std::uint32_t resets = 0;
    bool isGivenUp = false;  // the device is out of order
};

/// The activity of the driver behind a device; none for a device that is not this driver's. Any
/// thread.
DriverActivity activityOf(
        const android::sp<android::hardware::neuralnetworks::V1_3::IDevice>& device);

}  // namespace vnpu::driver
