// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/mechanisms/dynamic_preemption.h"

#include "firmware/api/scheduling.h"

namespace vnpu::fw {

PreemptionAction DynamicPreemption::decide(const Victim& victim) const {
    PreemptionAction action = PreemptionAction::kLetRun;
    std::uint64_t cost = victim.remainingCycles;
    if (victim.canBeSaved && victim.switchCycles < cost) {
        action = PreemptionAction::kSave;
        cost = victim.switchCycles;
    }
    if (victim.restarts < kMaxRestarts && victim.progressCycles < cost) {
        action = PreemptionAction::kStop;
    }
    return action;
}

}  // namespace vnpu::fw
