// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/mechanisms/checkpoint_preemption.h"

namespace vnpu::fw {

PreemptionAction CheckpointPreemption::decide(const Victim& victim) const {
    return victim.canBeSaved ? PreemptionAction::kSave : PreemptionAction::kLetRun;
}

}  // namespace vnpu::fw
