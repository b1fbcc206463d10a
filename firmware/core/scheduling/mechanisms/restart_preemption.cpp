// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/mechanisms/restart_preemption.h"

#include "firmware/api/scheduling.h"

namespace vnpu::fw {

PreemptionAction RestartPreemption::decide(const Victim& victim) const {
    return victim.restarts < kMaxRestarts ? PreemptionAction::kStop : PreemptionAction::kLetRun;
}

}  // namespace vnpu::fw
