// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/supervisor.h"

#include <algorithm>

#include "firmware/core/cycle_costs.h"
#include "firmware/core/register_io.h"

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
    if (parts_.interrupts.take(regs::ControllerIrqStatus::kDoorbell)) {
        parts_.rings.readDoorbells();
    }
    parts_.interrupts.take(regs::ControllerIrqStatus::kOutboxFree);
    parts_.mailbox.service(runningRing_);
}

}  // namespace vnpu::fw
