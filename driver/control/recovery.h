// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "driver/api/activity.h"
#include "driver/api/fault_report.h"
#include "driver/control/boot.h"
#include "driver/control/device_dump.h"
#include "driver/control/environment.h"
#include "driver/control/interrupt_handler.h"
#include "driver/control/latest.h"
#include "driver/port/mutex.h"
#include "driver/result.h"

namespace vnpu::driver {

/// Brings a broken device back:
///
///   usable --begin()--> recovering: requests wait; dump, reset, the records of finished jobs are
///     ^                      |      taken, the running job ends, boot, contexts and rings are
///     |                      |      created again, the jobs left in the rings run
///     +----------------------+
///                            | it does not boot, breaks down repeatedly without finishing
///                            v anything in between, or there is no thread for the recovery
///                        given up: held in reset, every call fails
///
/// The boot is warm: page tables, rings, clients' memory and the device's resident memory stay as
/// they are; only the firmware restarts. The job that was running at the breakdown counts as its
/// cause and never runs again.
class Recovery {
  public:
    /// `post` runs work on a host thread of the port and keeps the owner of the recovery alive.
    Recovery(const Environment& environment, InterruptHandler& interrupts,
             std::function<Result<void>(std::function<void()>)> post)
        : environment_(environment), interrupts_(interrupts), post_(std::move(post)) {}

    /// Enables recovery; an earlier breakdown is permanent.
    void arm(const BootMemory& memory) { memory_ = &memory; }

    /// Starts the recovery of a broken device on another thread; gives the device up if there is
    /// none. Any thread, the interrupt thread included.
    void begin(FaultCause cause, const std::string& reason);

    /// Begins a recovery if the fault needs one; otherwise reports it. Any thread.
    void handle(const FaultReport& report);

    bool isRecovering() const { return state_ == State::kRecovering; }
    bool isGivenUp() const { return state_ == State::kGivenUp; }
    /// Number of resets.
    std::uint32_t resets() const { return resets_; }

    /// Keeps a report, and passes it to the observer and the log. Any thread.
    void report(const FaultReport& report);
    /// Adds the latest reports and the state of the device.
    void addTo(DriverActivity& activity) const;

    static constexpr int kMaxBoots = 3;            // chosen: a fourth attempt rarely helps
    static constexpr int kMaxFruitlessResets = 3;  // likewise

  private:
    enum class State : std::uint8_t { kUsable, kRecovering, kGivenUp };

    void run(FaultReport report);
    void endGuilty(const DeviceDump& dump, FaultReport& report);
    bool bootAgain(std::string& failure);
    bool isFruitless();
    void giveUp(const std::string& reason);

    const Environment& environment_;
    InterruptHandler& interrupts_;
    const std::function<Result<void>(std::function<void()>)> post_;
    const BootMemory* memory_ = nullptr;
    mutable Mutex faultsMutex_ VNPU_LOCK_RANK(90);
    Latest<FaultActivity> faults_ VNPU_GUARDED_BY(faultsMutex_);
    std::atomic<State> state_{State::kUsable};
    std::atomic<std::uint32_t> resets_{0};
    std::uint64_t workAtLastReset_ = 0;  // this and the next belong to the recovering thread
    int fruitlessResets_ = 0;
};

}  // namespace vnpu::driver
