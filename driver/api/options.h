// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "driver/api/experiments.h"
#include "driver/api/scheduling.h"

namespace vnpu::driver {

class DriverObserver;

/// The most that one user (UID) may have of a device at once, in all processes together.
struct UserLimits {
    std::uint64_t memoryBytes = UINT64_MAX;  // device memory of models and buffers
    std::uint64_t executions = UINT64_MAX;   // requested and not finished
};

/// What the driver keeps in the device's on-chip memory beside buffers of memory domains.
struct OnChipOptions {
    /// The share of the on-chip memory, from 0 to 1, that constants of prepared models may fill.
    /// They stay there between executions, from a model's preparation to its end.
    double constantsShare = 0;
};

struct DriverOptions {
    std::string versionString = "vnpu-1.3";
    DriverObserver* observer = nullptr;  // not owned, may be null
    /// The clock of callers' deadlines: the time from this clock to a deadline is the budget of
    /// device time that the deadline grants. Empty: the device clock itself (virtual time). A live
    /// platform passes the steady clock.
    std::function<std::chrono::nanoseconds()> deadlineClock;
    /// How long a burst polls for the next request after each result before its thread sleeps.
    /// source: none by default, as in Android from 12 on
    std::chrono::microseconds burstPollingWindow{0};
    SchedulingOptions scheduling;
    UserLimits userLimits;
    OnChipOptions onChip;
    /// The driver resets a device whose firmware makes no progress for this device time while jobs
    /// are pending (timeout detection and recovery). chosen: a hundred heartbeats (boot.cpp)
    std::chrono::nanoseconds progressTimeout = std::chrono::milliseconds(100);
    AdmissionExperiments experiments;
};

}  // namespace vnpu::driver
