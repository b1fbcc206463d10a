// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utils/StrongPointer.h>

#include <cstdint>
#include <functional>

#include "driver/result.h"

namespace android::hardware::neuralnetworks::V1_3 {
struct IDevice;
}

// Hooks for experiments (preemption cost, quality of admission). A service for clients uses none of
// them: the defaults leave the driver as it is.

namespace vnpu::driver {

struct SchedulingOptions;

/// Part of SchedulingOptions.
struct SchedulingExperiments {
    bool isForced = false;  // fw::kScheduleForced: preempt at every checkpoint
};

/// Part of DriverOptions.
struct AdmissionExperiments {
    /// Called with the call's id (DriverObserver) before an execution is refused because it would
    /// miss its deadline. If it returns true, the driver admits the execution and never stops it.
    /// Empty: the driver refuses. Runs on the call's thread with no lock held.
    std::function<bool(std::uint64_t callId)> insists;
};

/// Makes the firmware of a running device, and the forecast that deadlines are judged by, follow
/// new scheduling options. Whether jobs wait in the driver (Strategy::kQueue), the bands
/// (`hasOneBand`) and the distance of checkpoints stay those of the device's creation.
/// GENERAL_FAILURE for a device that is not this driver's. Call on a host thread of the port, one
/// call at a time.
Result<void> reschedule(const android::sp<android::hardware::neuralnetworks::V1_3::IDevice>& device,
                        const SchedulingOptions& options);

}  // namespace vnpu::driver
