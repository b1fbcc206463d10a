// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "driver/api/device.h"
#include "driver/port/device_port.h"

namespace vnpu::driver {

/// A point of device time, or none for "no deadline".
using Deadline = std::optional<std::chrono::nanoseconds>;

/// Turns a caller's deadline into device time, as far ahead of now as it is ahead of the deadline
/// clock. To be called as soon as the call arrives.
Deadline toDeviceTime(const android::hardware::neuralnetworks::V1_3::OptionalTimePoint& deadline,
                      const DriverOptions& options, DevicePort& port);

/// A deadline for work of the host's, on the clock that it was given by.
class HostDeadline {
  public:
    /// None.
    HostDeadline() = default;
    /// The options and the port outlive it.
    HostDeadline(const android::hardware::neuralnetworks::V1_3::OptionalTimePoint& deadline,
                 const DriverOptions& options, DevicePort& port);

    /// Whether so much more work would be done in time.
    bool allows(std::chrono::nanoseconds work) const;

  private:
    Deadline time_;
    std::function<std::chrono::nanoseconds()> clock_;
};

/// The clock of callers' deadlines.
std::chrono::nanoseconds callersNow(const DriverOptions& options, DevicePort& port);

/// A caller's duration; centuries are cut to the largest that a clock holds.
std::chrono::nanoseconds clampedNanoseconds(std::uint64_t count);

/// True from the deadline on.
bool hasPassed(const Deadline& deadline, DevicePort& port);

}  // namespace vnpu::driver
