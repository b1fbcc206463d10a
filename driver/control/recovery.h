// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "driver/api/fault_report.h"
#include "driver/control/boot.h"
#include "driver/control/device_dump.h"
#include "driver/control/driver_log.h"
#include "driver/control/interrupt_handler.h"
#include "driver/control/job_tracker.h"
#include "driver/control/mailbox_client.h"
#include "driver/control/ring_registry.h"
#include "driver/port/device_info.h"
#include "driver/port/device_port.h"

namespace vnpu::driver {

/// Brings a broken device back:
///
///   usable --begin()--> recovering: requests wait, dump, reset, what had ended is taken, the job
///     ^                      |      that ran is ended, boot, contexts and rings told again, the
///     |                      |      jobs left in the rings run
///     +----------------------+
///                            | it does not boot, or broke down again and again without
///                            v anything done in between
///                        given up: held in reset, every call fails
///
/// The boot is warm: page tables, rings, clients' memory and the device's resident memory stay as
/// they are; only the firmware begins anew. A job that has started and not ended when the device
/// breaks down is taken for the guilty one and never runs again.
class Recovery {
  public:
    struct Parts {
        DevicePort& port;
        const DeviceInfo& info;
        const DriverLog& log;
        MailboxClient& mailbox;
        RingRegistry& rings;
        JobTracker& jobs;
        InterruptHandler& interrupts;
        /// Runs the work on a host thread, with whoever owns the recovery kept alive.
        std::function<void(std::function<void()>)> post;
    };

    explicit Recovery(Parts parts) : parts_(std::move(parts)) {}

    /// From here on the device may be recovered; before, breaking down is for good.
    void arm(const BootMemory& memory) { memory_ = &memory; }

    /// The device is found broken. Any thread, the interrupt thread included; the work is done on
    /// another one.
    void begin(FaultCause cause, const std::string& reason);

    bool isRecovering() const { return state_ == State::kRecovering; }
    bool isGivenUp() const { return state_ == State::kGivenUp; }
    /// How many resets there were.
    std::uint32_t resets() const { return resets_; }

    /// To the observer and the log. Any thread.
    void report(const FaultReport& report) const;

    static constexpr int kMaxBoots = 3;  // chosen: what does not help thrice helps no more
    static constexpr int kMaxFruitlessResets = 3;  // likewise

  private:
    enum class State : std::uint8_t { kUsable, kRecovering, kGivenUp };

    void run(FaultReport report);
    void endGuilty(const DeviceDump& dump, FaultReport& report);
    bool bootAgain(std::string& failure);
    bool isFruitless();
    void giveUp(const std::string& reason);

    const Parts parts_;
    const BootMemory* memory_ = nullptr;
    std::atomic<State> state_{State::kUsable};
    std::atomic<std::uint32_t> resets_{0};
    std::uint64_t workAtLastReset_ = 0;  // as the next, by who recovers
    int fruitlessResets_ = 0;
};

}  // namespace vnpu::driver
