// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/api/job_ring.h"
#include "firmware/api/mailbox.h"
#include "firmware/core/base/interrupts.h"
#include "firmware/core/base/log_ring.h"
#include "firmware/core/host/context_table.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// Decides at which clock level jobs run and when the device sleeps:
///
///   idle --autosuspend time without an interrupt, nothing held--> POWER_SUSPEND, asleep
///     ^                                                              |
///     +--------- MMU roots written again <--- doorbell, message -----+
///
/// A job's turn runs at the level of its slot, or at the held one if that is faster; the level
/// changes between turns, when the engines are idle, and stays as it is when there is no work. A
/// hold takes effect at once on an idle device, else at the next turn.
class PowerManager {
  public:
    struct Parts {
        hw::ControllerPort& port;
        Interrupts& interrupts;
        ContextTable& contexts;
        LogRing& log;
    };

    explicit PowerManager(const Parts& parts) : parts_(parts) {}

    /// Reads the device's clock levels; once per boot, after which the fastest level is set.
    void readDeviceLimits();

    /// Serves kSetPower. kBadParameter for a level that does not exist and for reserved bits.
    MessageStatus hold(std::uint32_t value);

    /// Sets the clock level for the turn of a job.
    void beginTurn(const JobSlot& slot);

    /// Sleeps until the next event.
    void idle();

  private:
    void setLevel(std::uint32_t level);
    void suspend();

    const Parts parts_;
    std::uint32_t levelCount_ = 1;
    std::uint64_t autosuspendCycles_ = 0;  // 0: never
    std::uint32_t level_ = 0;
    bool isHeld_ = false;
    std::uint32_t heldLevel_ = 0;
};

}  // namespace vnpu::fw
