// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "driver/control/environment.h"

namespace vnpu::driver {

/// A point of device time, or none for "no deadline".
using Deadline = std::optional<std::chrono::nanoseconds>;

/// Turns a caller's deadline into device time, as far ahead of now as it is ahead of the deadline
/// clock. Must run as soon as the call arrives.
Deadline toDeviceTime(const android::hardware::neuralnetworks::V1_3::OptionalTimePoint& deadline,
                      const Environment& environment);

/// A deadline for host work, on the caller's clock.
class HostDeadline {
  public:
    /// No deadline.
    HostDeadline() = default;
    /// The environment outlives it.
    HostDeadline(const android::hardware::neuralnetworks::V1_3::OptionalTimePoint& deadline,
                 const Environment& environment);

    /// Whether this much more work would end in time.
    bool allows(std::chrono::nanoseconds work) const;

  private:
    Deadline time_;
    std::function<std::chrono::nanoseconds()> clock_;
};

/// The clock of callers' deadlines.
std::chrono::nanoseconds callersNow(const Environment& environment);

/// A caller's duration, clamped to the largest that a clock holds.
std::chrono::nanoseconds clampedNanoseconds(std::uint64_t count);

/// True from the deadline on.
bool hasPassed(const Deadline& deadline, DevicePort& port);

}  // namespace vnpu::driver
