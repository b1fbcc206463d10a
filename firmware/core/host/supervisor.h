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

/// What goes on beside the running job: doorbells, messages, heartbeat, and the question whether
/// another job is to run. Whoever waits for anything
/// calls service() and sleep() in turn.
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

    /// The driver's wish for the heartbeat, 0 for the default; held within the firmware's bounds.
    void setHeartbeatInterval(std::uint64_t cycles);

    /// Looks at the interrupts, serves doorbells and messages, and ticks.
    void service();

    /// Sleeps while engines work: at most half a heartbeat interval, the other half being for what
    /// is done between, or `limitCycles`.
    void sleepWhileBusy(std::uint64_t limitCycles = kNeverCycles) {
        parts_.interrupts.sleep(
                parts_.scheduler.cyclesToSleep(std::min(heartbeatCycles_ / 2, limitCycles)));
    }

    bool isReset() const { return parts_.interrupts.isReset(); }

    /// Whether the running job is to end.
    bool isAborting() const { return parts_.rings.isAborting(parts_.scheduler.runningRing()); }

    /// Whether the running job is to make room at once.
    bool mustStop() const { return parts_.scheduler.mustStop(); }

  private:
    Parts parts_;
    std::uint64_t heartbeatCycles_ = 0;
};

}  // namespace vnpu::fw
