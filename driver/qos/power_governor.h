// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.1/types.h>

#include <chrono>
#include <cstdint>
#include <memory>

#include "driver/control/environment.h"
#include "driver/control/host_lock.h"
#include "driver/control/mailbox_client.h"
#include "driver/control/ring_registry.h"
#include "driver/port/mutex.h"

namespace vnpu::driver {

class PowerHold;

/// The driver's part in the device's clock and power: the level of a model's jobs, the reasons to
/// keep the device awake, and the time until the device is ready for a job. The firmware decides
/// within these limits (firmware/core/host/power_manager.h). A device with one level that never
/// sleeps receives no power message. Any thread but the interrupt thread.
class PowerGovernor {
  public:
    using Preference = android::hardware::neuralnetworks::V1_1::ExecutionPreference;
    using Time = std::chrono::nanoseconds;

    struct Parts {
        const Environment& environment;
        MailboxClient& mailbox;
        RingRegistry& rings;
    };

    explicit PowerGovernor(const Parts& parts);

    /// LOW_POWER: the slowest; SUSTAINED_SPEED: the fastest without a time limit;
    /// FAST_SINGLE_ANSWER: the fastest.
    std::uint32_t levelFor(Preference preference) const;

    /// Keeps the device awake and at its fastest level while the result lives. Call, and drop the
    /// result, on a host thread of the port.
    std::unique_ptr<PowerHold> hold();

    /// The delay of a job of this level that is submitted now, caused by wake-up and change of
    /// level.
    Time readyIn(std::uint32_t level) const;

    /// To be called at a job's doorbell and at its record.
    void onJobBegin(std::uint32_t level);
    void onJobEnd();

    /// Wakes a sleeping device, for a caller whose deadline did not allow for the wake-up.
    void wake();

  private:
    friend class PowerHold;

    void release();
    void tell(bool isHeld);

    const Parts parts_;
    HostLock turn_;  // held during the message to the firmware
    mutable Mutex mutex_ VNPU_LOCK_RANK(80);
    std::uint32_t holds_ VNPU_GUARDED_BY(mutex_) = 0;
    std::uint32_t jobs_ VNPU_GUARDED_BY(mutex_) = 0;
    std::uint32_t level_ VNPU_GUARDED_BY(mutex_) = 0;  // of the job submitted last
    Time lastWork_ VNPU_GUARDED_BY(mutex_);
};

/// One reason to keep the device at its fastest; see PowerGovernor::hold().
class PowerHold {
  public:
    explicit PowerHold(PowerGovernor& governor)
        : governor_(governor), life_(governor.parts_.environment.counters.livePowerHolds) {}
    ~PowerHold() { governor_.release(); }
    PowerHold(const PowerHold&) = delete;
    PowerHold& operator=(const PowerHold&) = delete;

  private:
    PowerGovernor& governor_;
    const CountedLife life_;
};

}  // namespace vnpu::driver
