// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/host/supervisor.h"

#include <algorithm>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"

namespace vnpu::fw {

void Supervisor::setHeartbeatInterval(std::uint64_t cycles) {
    heartbeatCycles_ =
            cycles == 0 ? kDefaultHeartbeatCycles : std::max(cycles, kMinHeartbeatCycles);
}

void Supervisor::service() {
    parts_.interrupts.poll();
    if (isReset()) {
        return;
    }
    writeRegister<regs::HeartbeatTick>(parts_.port, 1);
    const bool isRung = parts_.interrupts.take(regs::ControllerIrqStatus::kDoorbell);
    if (isRung) {
        parts_.rings.readDoorbells();
    }
    parts_.interrupts.take(regs::ControllerIrqStatus::kOutboxFree);
    const bool isAsked = parts_.mailbox.service();
    if (isAsked) {
        parts_.rings.completeAborted(parts_.scheduler.runningRing());
    }
    parts_.scheduler.look(isRung || isAsked);
}

}  // namespace vnpu::fw
