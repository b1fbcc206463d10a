// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/preemption.h"

namespace vnpu::fw {
namespace {

/// The cheapest action in device cycles. Letting the job run costs its remaining time, saving it
/// costs save and restore, and stopping it costs its progress so far.
PreemptionAction cheapest(const Victim& victim) {
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

}  // namespace

PreemptionAction decidePreemption(Mechanism mechanism, const Victim& victim) {
    switch (mechanism) {
        case Mechanism::kNone:
            break;
        case Mechanism::kCheckpoint:
            return victim.canBeSaved ? PreemptionAction::kSave : PreemptionAction::kLetRun;
        case Mechanism::kRestart:
            return victim.restarts < kMaxRestarts ? PreemptionAction::kStop
                                                  : PreemptionAction::kLetRun;
        case Mechanism::kDynamic:
            return cheapest(victim);
    }
    return PreemptionAction::kLetRun;
}

}  // namespace vnpu::fw
