// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/interrupts.h"
#include "firmware/core/host/mailbox_server.h"
#include "firmware/core/scheduling/ring_table.h"
#include "firmware/core/scheduling/scheduler.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// The work beside the running job: doorbells, messages, heartbeat, and the check whether another
/// job must run. Every loop that waits calls service() and sleep() in turn.
class Supervisor {
  public:
    struct Parts {
        hw::ControllerPort& port;
        Interrupts& interrupts;
        RingTable& rings;
        MailboxServer& mailbox;
        Scheduler& scheduler;
    };

    explicit Supervisor(const Parts& parts) : parts_(parts) {}

    /// The driver's heartbeat interval, 0 for the default; limited to the firmware's bounds.
    void setHeartbeatInterval(std::uint64_t cycles);

    /// Polls the interrupts, services doorbells and messages, and ticks the heartbeat.
    void service();

    /// Sleeps while engines work, for at most `limitCycles` and half a heartbeat interval; the
    /// other half is for the work between two sleeps.
    void sleepWhileBusy(std::uint64_t limitCycles = kNeverCycles) {
        parts_.interrupts.sleep(
                parts_.scheduler.cyclesToSleep(std::min(heartbeatCycles_ / 2, limitCycles)));
    }

    bool isReset() const { return parts_.interrupts.isReset(); }

    /// Whether the running job must end.
    bool isAborting() const { return parts_.rings.isAborting(parts_.scheduler.runningRing()); }

    /// Whether the running job must yield at once.
    bool mustStop() const { return parts_.scheduler.mustStop(); }

  private:
    Parts parts_;
    std::uint64_t heartbeatCycles_ = 0;
};

}  // namespace vnpu::fw
