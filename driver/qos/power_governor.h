// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.1/types.h>

#include <chrono>
#include <cstdint>
#include <memory>

#include "driver/control/environment.h"
#include "driver/control/host_lock.h"
#include "driver/port/mutex.h"

namespace vnpu::driver {

/// The driver's part in the device's clock and power: the level of a model's jobs, the reasons to
/// keep the device awake, and the time until the device is ready for a job. The firmware decides
/// within these limits (firmware/core/host/power_manager.h). A device with one level that never
/// sleeps receives no power message. Any thread but the interrupt thread.
class PowerGovernor {
  public:
    using Preference = android::hardware::neuralnetworks::V1_1::ExecutionPreference;
    using Time = std::chrono::nanoseconds;

    explicit PowerGovernor(const Environment& environment)
        : environment_(environment), turn_(environment.port), lastWork_(environment.port.now()) {}

    struct Release {
        void operator()(PowerGovernor* governor) const { governor->release(); }
    };
    /// One reason to keep the device at its fastest.
    using Hold = std::unique_ptr<PowerGovernor, Release>;

    /// LOW_POWER: the slowest; SUSTAINED_SPEED: the fastest without a time limit;
    /// FAST_SINGLE_ANSWER: the fastest.
    std::uint32_t levelFor(Preference preference) const;

    /// Keeps the device awake and at its fastest level while the result lives. Call, and drop the
    /// result, on a host thread of the port.
    Hold hold();

    /// The delay of a job of this level that is submitted now, caused by wake-up and change of
    /// level.
    Time readyIn(std::uint32_t level) const;

    /// To be called at a job's doorbell and at its record.
    void onJobBegin(std::uint32_t level);
    void onJobEnd();

    /// Wakes a sleeping device, for a caller whose deadline did not allow for the wake-up.
    void wake();

  private:
    void release();
    void tell(bool isHeld);

    const Environment& environment_;
    HostLock turn_;  // held during the message to the firmware
    mutable Mutex mutex_ VNPU_LOCK_RANK(80);
    std::uint32_t holds_ VNPU_GUARDED_BY(mutex_) = 0;
    std::uint32_t jobs_ VNPU_GUARDED_BY(mutex_) = 0;
    std::uint32_t level_ VNPU_GUARDED_BY(mutex_) = 0;  // of the job submitted last
    Time lastWork_ VNPU_GUARDED_BY(mutex_);
};

}  // namespace vnpu::driver
