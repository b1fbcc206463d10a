// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.1/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>

#include "driver/api/driver_counters.h"
#include "driver/control/driver_log.h"
#include "driver/control/host_lock.h"
#include "driver/control/mailbox_client.h"
#include "driver/control/ring_registry.h"
#include "driver/port/device_info.h"
#include "driver/port/device_port.h"

namespace vnpu::driver {

class PowerHold;

/// The driver's part in the device's clock and power: what level a model's jobs run at, what keeps
/// the device awake, and when a job that comes now would find it ready. The firmware decides within
/// that (firmware/core/host/power_manager.h). A device with one level that never sleeps is told
/// nothing. Any thread but the interrupt thread.
class PowerGovernor {
  public:
    using Preference = android::hardware::neuralnetworks::V1_1::ExecutionPreference;
    using Time = std::chrono::nanoseconds;

    struct Parts {
        DevicePort& port;
        const DeviceInfo& info;
        const DriverLog& log;
        MailboxClient& mailbox;
        RingRegistry& rings;
        LiveCounters& counters;
    };

    explicit PowerGovernor(const Parts& parts);

    /// LOW_POWER: the slowest; SUSTAINED_SPEED: the fastest that lasts; FAST_SINGLE_ANSWER: the
    /// fastest.
    std::uint32_t levelFor(Preference preference) const;

    /// Keeps the device awake and at its fastest level while it lives. On a host thread of the
    /// port, as its end.
    std::unique_ptr<PowerHold> hold();

    /// How much longer a job of this level takes to begin if it is handed over now: power-up,
    /// change of level.
    Time readyIn(std::uint32_t level) const;

    /// Jobs on their way, from the doorbell to the record.
    void onJobBegin(std::uint32_t level);
    void onJobEnd();

    /// Wakes the device if it sleeps: somebody wanted it and could not wait for that.
    void wake();

  private:
    friend class PowerHold;

    void release();
    void tell(bool isHeld);

    const Parts parts_;
    HostLock turn_;             // held while the firmware is told
    mutable std::mutex mutex_;  // guards what follows; rank 80
    std::uint32_t holds_ = 0;
    std::uint32_t jobs_ = 0;
    std::uint32_t level_ = 0;  // of the job that was handed over last
    Time lastWork_;
};

/// One reason to hold the device at its best; see PowerGovernor::hold().
class PowerHold {
  public:
    explicit PowerHold(PowerGovernor& governor)
        : governor_(governor), life_(governor.parts_.counters.livePowerHolds) {}
    ~PowerHold() { governor_.release(); }
    PowerHold(const PowerHold&) = delete;
    PowerHold& operator=(const PowerHold&) = delete;

  private:
    PowerGovernor& governor_;
    const CountedLife life_;
};

}  // namespace vnpu::driver
