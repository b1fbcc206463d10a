// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "firmware/api/scheduling.h"
#include "firmware/core/scheduling/mechanisms/checkpoint_preemption.h"
#include "firmware/core/scheduling/mechanisms/dynamic_preemption.h"
#include "firmware/core/scheduling/mechanisms/no_preemption.h"
#include "firmware/core/scheduling/mechanisms/restart_preemption.h"

namespace vnpu::fw::test {

TEST_SUITE("firmware/mechanisms") {
    TEST_CASE("each does its one thing, where it can [Q-3]") {
        Victim victim;
        CHECK(NoPreemption().decide(victim) == PreemptionAction::kLetRun);
        CHECK(CheckpointPreemption().decide(victim) == PreemptionAction::kLetRun);
        CHECK(RestartPreemption().decide(victim) == PreemptionAction::kStop);
        victim.canBeSaved = true;
        CHECK(CheckpointPreemption().decide(victim) == PreemptionAction::kSave);
    }

    TEST_CASE("a job that was stopped often enough runs to its end [Q-3]") {
        Victim victim;
        victim.remainingCycles = 1000;
        victim.restarts = kMaxRestarts - 1;
        CHECK(RestartPreemption().decide(victim) == PreemptionAction::kStop);
        CHECK(DynamicPreemption().decide(victim) == PreemptionAction::kStop);
        victim.restarts = kMaxRestarts;
        CHECK(RestartPreemption().decide(victim) == PreemptionAction::kLetRun);
        CHECK(DynamicPreemption().decide(victim) == PreemptionAction::kLetRun);
    }

    TEST_CASE("the dynamic one takes the cheapest way [Q-3]") {
        Victim victim{.canBeSaved = true,
                      .restarts = 0,
                      .remainingCycles = 1000,
                      .progressCycles = 1000,
                      .switchCycles = 1000};
        const DynamicPreemption mechanism;
        CHECK(mechanism.decide(victim) == PreemptionAction::kLetRun);
        victim.switchCycles = 999;
        CHECK(mechanism.decide(victim) == PreemptionAction::kSave);
        victim.progressCycles = 998;
        CHECK(mechanism.decide(victim) == PreemptionAction::kStop);
        victim.remainingCycles = 500;
        CHECK(mechanism.decide(victim) == PreemptionAction::kLetRun);
        victim.remainingCycles = ~0ULL;
        CHECK(mechanism.decide(victim) == PreemptionAction::kStop);
        victim.canBeSaved = false;
        victim.restarts = kMaxRestarts;
        CHECK(mechanism.decide(victim) == PreemptionAction::kLetRun);
    }
}

}  // namespace vnpu::fw::test
