// SPDX-License-Identifier: Apache-2.0
// The policies on hand-made queues, without time or hardware.
#include <doctest/doctest.h>

#include <vector>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/scheduling/job_chooser.h"
#include "tests/firmware/policy_queue.h"

namespace vnpu::fw::test {
TEST_SUITE_BEGIN("firmware/policies");

TEST_CASE("first come, first served [Q-2]") {
    const SchedulingParameters parameters = with(Policy::kFirstCome);
    const JobChooser policy(parameters);
    CHECK(chosen(policy, {at(0, 3, 30), at(4, 0, 10), at(9, 1, 20)}) == 4);
    CHECK(chosen(policy, {at(2, 1, 10), at(5, 1, 10)}) == 2);
    CHECK(chosen(policy, {at(2, 1, 10), at(5, 1, 10)}, 5) == 5);
}

TEST_CASE("the shortest remaining time goes first, an unknown one last [Q-2]") {
    const SchedulingParameters parameters = with(Policy::kShortestFirst);
    const JobChooser policy(parameters);
    std::vector<Candidate> queue = {at(0), at(1), at(2)};
    queue[1].remaining = 500;
    queue[2].remaining = 499;
    CHECK(chosen(policy, queue, 1) == 2);
    queue[1].remaining = 0;
    CHECK(chosen(policy, queue) == 1);
    CHECK(chosen(policy, {at(0, 1, 9), at(1, 1, 8)}) == 1);
}

TEST_CASE("the earliest deadline goes first, jobs without a deadline last [Q-2]") {
    const SchedulingParameters parameters = with(Policy::kEarliestDeadline);
    const JobChooser policy(parameters);
    std::vector<Candidate> queue = {at(0), at(1), at(2)};
    queue[1].deadline = 2000;
    queue[2].deadline = 1999;
    CHECK(chosen(policy, queue) == 2);
    CHECK(chosen(policy, {at(0, 1, 9), at(1, 1, 8)}) == 1);
}

TEST_CASE("the least laxity goes first, even if negative [Q-2]") {
    const SchedulingParameters parameters = with(Policy::kLeastLaxity);
    const JobChooser policy(parameters);
    std::vector<Candidate> queue = {at(0), at(1), at(2), at(3)};
    queue[1].deadline = 2000;  // 2000 - 1000 - 300 = 700 left
    queue[1].remaining = 300;
    queue[2].deadline = 2500;  // 2500 - 1000 - 900 = 600 left
    queue[2].remaining = 900;
    queue[3].deadline = 1650;  // 650 left; its remaining time is unknown
    CHECK(chosen(policy, queue, kNone, 1000) == 2);
    queue[1].remaining = 1500;  // 500 too late
    CHECK(chosen(policy, queue, kNone, 1000) == 1);
    CHECK(chosen(policy, {at(0, 1, 9), at(1, 1, 8)}) == 1);
}

TEST_CASE("rings take turns by quantum, whatever their bands [Q-2]") {
    SchedulingParameters parameters = with(Policy::kRoundRobin);
    for (std::uint64_t& quantum : parameters.quantumCycles) {
        quantum = 1000;
    }
    JobChooser policy(parameters);
    const auto executed = share(policy, {at(1, 0), at(4, 3), at(7, 1)}, 9000);
    CHECK(executed == std::vector<std::uint64_t>{3000, 3000, 3000});
}

TEST_CASE("a turn is as long as its band's quantum [Q-2]") {
    SchedulingParameters parameters = with(Policy::kRoundRobin);
    parameters.quantumCycles[1] = 1000;
    parameters.quantumCycles[2] = 3000;
    JobChooser policy(parameters);
    CHECK(share(policy, {at(0, 1), at(1, 2)}, 8000) == std::vector<std::uint64_t>{2000, 6000});
}

TEST_CASE("a quantum ends no turn before the grace period [Q-2]") {
    SchedulingParameters parameters = with(Policy::kRoundRobin);
    parameters.quantumCycles[1] = 1000;
    parameters.graceCycles[1] = 2500;
    JobChooser policy(parameters);
    // The first turn of each job is 2500 long, all later ones 1000.
    CHECK(share(policy, {at(0), at(1)}, 7000) == std::vector<std::uint64_t>{3500, 3500});
    Candidate fresh = at(0);
    JobChooser other(parameters);
    other.onStart(fresh);
    fresh.executed = 1500;
    CHECK(chosen(other, {fresh, at(1)}, 0) == 0);
    fresh.executed = 2500;
    CHECK(chosen(other, {fresh, at(1)}, 0) == 1);
}

TEST_CASE("a job that is preempted during its turn continues the turn later [Q-2]") {
    SchedulingParameters parameters = with(Policy::kBands);
    parameters.quantumCycles[1] = 1000;
    JobChooser policy(parameters);
    std::vector<Candidate> queue = {at(0), at(1)};
    policy.onStart(queue[1]);
    queue[1].executed = 400;
    queue.push_back(at(2, 3));
    CHECK(chosen(policy, queue, 1) == 2);
    policy.onStart(queue[2]);
    queue.pop_back();
    CHECK(chosen(policy, queue) == 1);
    CHECK(policy.cyclesToLook(queueOf(queue, 1)) == 600);
}

TEST_CASE("a ring's next job does not inherit the turn [Q-2]") {
    SchedulingParameters parameters = with(Policy::kBands);
    JobChooser policy(parameters);
    std::vector<Candidate> queue = {at(0), at(1)};
    policy.onStart(queue[0]);
    CHECK(chosen(policy, queue, 0) == 0);
    queue[0].sequence = 1;
    CHECK(chosen(policy, queue) == 1);
}

TEST_CASE("the highest band goes first, and within it the highest level [Q-2]") {
    const SchedulingParameters parameters = with(Policy::kBands);
    const JobChooser policy(parameters);
    std::vector<Candidate> queue = {at(0, 1), at(1, 2), at(2, 2), at(3, 0)};
    queue[0].level = 255;
    queue[2].level = 1;
    CHECK(chosen(policy, queue, 1) == 2);
    queue[1].level = 2;
    CHECK(chosen(policy, queue, 2) == 1);
}

TEST_CASE("lower bands starve while a higher one is busy, unless they have a share [Q-2]") {
    SchedulingParameters parameters = with(Policy::kBands);
    JobChooser strict(parameters);
    CHECK(share(strict, {at(0, 1), at(1, 3)}, 10'000'000) ==
          std::vector<std::uint64_t>{0, 10'000'000});

    parameters.starvationPermille = 100;
    JobChooser fair(parameters);
    const auto executed = share(fair, {at(0, 1), at(1, 3)}, 10'000'000);
    // A tenth, to a slice of 100 000 cycles.
    CHECK(executed[0] >= 900'000);
    CHECK(executed[0] <= 1'000'000);
}

TEST_CASE("each lower band gets its share [Q-2]") {
    SchedulingParameters parameters = with(Policy::kBands);
    parameters.starvationPermille = 200;
    for (std::uint64_t& quantum : parameters.quantumCycles) {
        quantum = 10'000;
    }
    JobChooser policy(parameters);
    const auto executed = share(policy, {at(0, 0), at(1, 1), at(2, 2), at(3, 3)}, 10'000'000);
    for (std::size_t ring = 0; ring < 3; ++ring) {
        CHECK(static_cast<double>(executed[ring]) == doctest::Approx(2e6).epsilon(0.02));
    }
    CHECK(static_cast<double>(executed[3]) == doctest::Approx(4e6).epsilon(0.02));
}

TEST_CASE("a band without a job is owed nothing [Q-2]") {
    SchedulingParameters parameters = with(Policy::kBands);
    parameters.starvationPermille = 300;
    JobChooser policy(parameters);
    const std::vector<Candidate> alone = {at(1, 3)};
    policy.observe(queueOf(alone, 1, 0));
    policy.observe(queueOf(alone, 1, 90'000'000));
    const std::vector<Candidate> both = {at(0, 1), at(1, 3)};
    policy.observe(queueOf(both, 1, 90'000'000));
    CHECK(chosen(policy, both, 1, 90'000'000) == 1);
    // 100 000 cycles are owed after 100 000 / 0.3.
    CHECK(policy.cyclesToLook(queueOf(both, 1, 90'000'000)) == 333'334);
}

TEST_CASE("a claim survives a gap between two jobs of the higher band [Q-2]") {
    SchedulingParameters parameters = with(Policy::kBands);
    parameters.starvationPermille = 100;
    JobChooser policy(parameters);
    const std::vector<Candidate> both = {at(0, 1), at(1, 3)};
    const std::vector<Candidate> below = {at(0, 1)};
    policy.observe(queueOf(both, 1, 0));
    policy.observe(queueOf(below, 0, 900'000));  // 90 000 cycles are owed
    policy.observe(queueOf(both, 0, 920'000));   // 20 000 of them were paid in the gap
    CHECK(chosen(policy, both, 0, 920'000) == 1);
    policy.observe(queueOf(both, 1, 920'000));
    CHECK(policy.cyclesToLook(queueOf(both, 1, 920'000)) == 300'000);
    policy.observe(queueOf(both, 1, 1'220'000));
    CHECK(chosen(policy, both, 1, 1'220'000) == 0);  // a slice of 100 000
}

TEST_CASE("tokens: they start with the bands' priorities [Q-2]") {
    const SchedulingParameters parameters = with(Policy::kTokens);
    const JobChooser policy(parameters);
    std::vector<Candidate> queue = {at(0, 1), at(1, 3), at(2, 2)};
    for (Candidate& one : queue) {
        one.estimate = one.remaining = 1000;
    }
    CHECK(chosen(policy, queue) == 1);
    queue.erase(queue.begin() + 1);
    CHECK(chosen(policy, queue) == 2);
}

TEST_CASE(
        "tokens: waiting makes a job eligible with higher ones, of which the shortest wins [Q-2]") {
    const SchedulingParameters parameters = with(Policy::kTokens);
    const JobChooser policy(parameters);
    std::vector<Candidate> queue = {at(0, 1), at(1, 3)};
    queue[0].estimate = queue[0].remaining = 100;
    queue[1].estimate = queue[1].remaining = 5000;
    // 1 * (1 + 799 / 100) = 8.99 tokens, below the 9 of the other: not eligible.
    queue[0].waited = 799;
    CHECK(chosen(policy, queue) == 1);
    queue[0].waited = 800;
    CHECK(chosen(policy, queue) == 0);
    queue[0].remaining = 6000;
    CHECK(chosen(policy, queue) == 1);
}

TEST_CASE("tokens: the largest threshold that any job reaches counts [Q-2]") {
    const SchedulingParameters parameters = with(Policy::kTokens);
    const JobChooser policy(parameters);
    std::vector<Candidate> queue = {at(0, 1), at(1, 2)};
    queue[0].estimate = queue[0].remaining = 10;
    queue[1].estimate = queue[1].remaining = 1000;
    queue[0].waited = 10;  // 2 tokens against 3: the threshold is 3
    CHECK(chosen(policy, queue) == 1);
    queue[1].waited = 1900;  // 8.7 tokens, still a threshold of 3
    queue[0].waited = 20;    // 3 tokens
    CHECK(chosen(policy, queue) == 0);
    queue[1].waited = 2000;  // 9 tokens
    CHECK(chosen(policy, queue) == 1);
}

TEST_CASE("tokens: nothing overflows [Q-2]") {
    const SchedulingParameters parameters = with(Policy::kTokens);
    const JobChooser policy(parameters);
    std::vector<Candidate> queue = {at(0, 3), at(1, 3)};
    queue[0].waited = queue[1].waited = ~0ULL;
    queue[0].estimate = 1;
    queue[1].estimate = ~0ULL;
    queue[0].remaining = 1;
    CHECK(chosen(policy, queue) == 0);
}

TEST_CASE("tokens: the policy is applied each period while others wait [Q-2]") {
    SchedulingParameters parameters = with(Policy::kTokens);
    parameters.periodCycles = 250'000;
    const JobChooser policy(parameters);
    CHECK(policy.cyclesToLook(queueOf({at(0)}, 0)) == kNeverCycles);
    CHECK(policy.cyclesToLook(queueOf({at(0), at(1)}, 0)) == 250'000);
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
