// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "firmware/core/scheduling/preemption.h"

namespace vnpu::fw::test {

TEST_SUITE_BEGIN("firmware/preemption");

TEST_CASE("each mechanism takes its action if possible [Q-3]") {
    Victim victim;
    CHECK(decidePreemption(Mechanism::kNone, victim) == PreemptionAction::kLetRun);
    CHECK(decidePreemption(Mechanism::kCheckpoint, victim) == PreemptionAction::kLetRun);
    CHECK(decidePreemption(Mechanism::kRestart, victim) == PreemptionAction::kStop);
    victim.canBeSaved = true;
    CHECK(decidePreemption(Mechanism::kCheckpoint, victim) == PreemptionAction::kSave);
}

TEST_CASE("a job that was stopped often enough runs to its end [Q-3]") {
    Victim victim;
    victim.remainingCycles = 1000;
    victim.restarts = kMaxRestarts - 1;
    CHECK(decidePreemption(Mechanism::kRestart, victim) == PreemptionAction::kStop);
    CHECK(decidePreemption(Mechanism::kDynamic, victim) == PreemptionAction::kStop);
    victim.restarts = kMaxRestarts;
    CHECK(decidePreemption(Mechanism::kRestart, victim) == PreemptionAction::kLetRun);
    CHECK(decidePreemption(Mechanism::kDynamic, victim) == PreemptionAction::kLetRun);
}

TEST_CASE("the dynamic mechanism chooses the cheapest action [Q-3]") {
    Victim victim{.canBeSaved = true,
                  .restarts = 0,
                  .remainingCycles = 1000,
                  .progressCycles = 1000,
                  .switchCycles = 1000};
    const auto decide = [&] { return decidePreemption(Mechanism::kDynamic, victim); };
    CHECK(decide() == PreemptionAction::kLetRun);
    victim.switchCycles = 999;
    CHECK(decide() == PreemptionAction::kSave);
    victim.progressCycles = 998;
    CHECK(decide() == PreemptionAction::kStop);
    victim.remainingCycles = 500;
    CHECK(decide() == PreemptionAction::kLetRun);
    victim.remainingCycles = ~0ULL;
    CHECK(decide() == PreemptionAction::kStop);
    victim.canBeSaved = false;
    victim.restarts = kMaxRestarts;
    CHECK(decide() == PreemptionAction::kLetRun);
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
