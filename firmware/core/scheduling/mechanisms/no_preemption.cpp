// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/mechanisms/no_preemption.h"

namespace vnpu::fw {

PreemptionAction NoPreemption::decide(const Victim& /*victim*/) const {
    return PreemptionAction::kLetRun;
}

}  // namespace vnpu::fw
