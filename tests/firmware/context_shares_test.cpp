// SPDX-License-Identifier: Apache-2.0
// Even shares of contexts, on queues made by hand.
#include <doctest/doctest.h>

#include <vector>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/scheduling/device_chooser.h"
#include "tests/firmware/policy_queue.h"

namespace vnpu::fw::test {
namespace {

constexpr std::uint64_t kSlice = 1000;

SchedulingParameters fair(Policy policy) {
    SchedulingParameters parameters = with(policy);
    parameters.flags = kScheduleFairContexts;
    parameters.contextSliceCycles = kSlice;
    return parameters;
}

Candidate of(std::uint32_t context, std::uint32_t ring, std::uint32_t band = 1) {
    Candidate one = at(ring, band);
    one.context = context;
    return one;
}

}  // namespace

TEST_SUITE_BEGIN("firmware/context shares");

TEST_CASE("contexts get even shares whatever their bands [Q-1]") {
    for (const PolicyRow& row : policies()) {
        CAPTURE(row.name);
        const SchedulingParameters parameters = fair(row.policy);
        DeviceChooser chooser(parameters);
        CHECK(share(chooser, {of(5, 0, 3), of(2, 1, 1)}, 80'000) ==
              std::vector<std::uint64_t>{40'000, 40'000});
    }
}

TEST_CASE("without the flag the highest band has the device [Q-3]") {
    SchedulingParameters parameters = fair(Policy::kBands);
    parameters.flags = 0;
    DeviceChooser chooser(parameters);
    CHECK(share(chooser, {of(5, 0, 3), of(2, 1, 1)}, 80'000) ==
          std::vector<std::uint64_t>{80'000, 0});
}

TEST_CASE("a context's share does not grow with its rings, and goes to its highest band [Q-1]") {
    const SchedulingParameters parameters = fair(Policy::kBands);
    DeviceChooser chooser(parameters);
    const auto cycles =
            share(chooser, {of(1, 0, 1), of(1, 1, 2), of(1, 2, 3), of(2, 3, 1)}, 60'000);
    CHECK(cycles == std::vector<std::uint64_t>{0, 0, 30'000, 30'000});
}

TEST_CASE("within a context the rings take turns by the policy [Q-1]") {
    SchedulingParameters parameters = fair(Policy::kRoundRobin);
    for (std::uint64_t& quantum : parameters.quantumCycles) {
        quantum = 300;
    }
    DeviceChooser chooser(parameters);
    const auto cycles = share(chooser, {of(1, 0), of(1, 1), of(1, 2), of(2, 3)}, 180'000);
    CHECK(cycles == std::vector<std::uint64_t>{30'000, 30'000, 30'000, 90'000});
}

TEST_CASE("the starvation share of a band is one of its context's time [Q-2]") {
    SchedulingParameters parameters = fair(Policy::kBands);
    parameters.starvationPermille = 200;
    for (std::uint64_t& quantum : parameters.quantumCycles) {
        quantum = 500;
    }
    DeviceChooser chooser(parameters);
    const auto cycles = share(chooser, {of(1, 0, 1), of(1, 1, 3), of(2, 2, 3)}, 2'000'000);
    CHECK(static_cast<double>(cycles[0]) == doctest::Approx(200'000).epsilon(0.01));
    CHECK(static_cast<double>(cycles[1]) == doctest::Approx(800'000).epsilon(0.01));
    CHECK(static_cast<double>(cycles[2]) == doctest::Approx(1'000'000).epsilon(0.01));
}

TEST_CASE("a context that returns goes next, and has saved up one slice [Q-1]") {
    const SchedulingParameters parameters = fair(Policy::kBands);
    DeviceChooser chooser(parameters);
    CHECK(share(chooser, {of(1, 0)}, 50'000) == std::vector<std::uint64_t>{50'000});
    const std::vector<Candidate> both = {of(1, 0), of(2, 1)};
    chooser.observe(queueOf(both, 0, 50'000));
    CHECK(chosen(chooser, both, 0, 50'000) == 1);
    // One slice saved up, one that the running context may be ahead: then they alternate.
    CHECK(share(chooser, both, 60'000, 50'000) == std::vector<std::uint64_t>{4'000, 6'000});
}

TEST_CASE("a context that returns goes next even if the lowest account was higher before [Q-1]") {
    const SchedulingParameters parameters = fair(Policy::kBands);
    DeviceChooser chooser(parameters);
    const std::vector<Candidate> first = {of(1, 0)};
    const std::vector<Candidate> both = {of(1, 0), of(2, 1)};
    const std::vector<Candidate> all = {of(1, 0), of(2, 1), of(3, 2)};
    chooser.observe(queueOf(both, 1, 0));
    chooser.observe(queueOf(first, 0, 1'500));  // 0 : 1500
    chooser.observe(queueOf(both, 1, 3'300));   // 1800 : 1500, which is above 1800 less a slice
    chooser.observe(queueOf(all, 1, 3'310));    // 1800 : 1510 : 510
    CHECK(chosen(chooser, all, 1, 3'310) == 2);
}

TEST_CASE("a context keeps its account during a short absence [Q-1]") {
    const SchedulingParameters parameters = fair(Policy::kBands);
    DeviceChooser chooser(parameters);
    const std::vector<Candidate> both = {of(1, 0), of(2, 1)};
    const std::vector<Candidate> second = {of(2, 1)};
    chooser.observe(queueOf(both, 0, 0));
    chooser.observe(queueOf(second, 1, 900));  // 900 : 0
    chooser.observe(queueOf(both, 1, 1'000));  // 900 : 100
    CHECK(chosen(chooser, both, 1, 1'000) == 1);
    CHECK(chooser.cyclesToLook(queueOf(both, 1, 1'000)) == 900 + kSlice - 100);
}

TEST_CASE("a new context does not inherit the account of its index [Q-1]") {
    const SchedulingParameters parameters = fair(Policy::kBands);
    DeviceChooser chooser(parameters);
    const std::vector<Candidate> both = {of(1, 0), of(2, 1)};
    chooser.observe(queueOf(both, 0, 0));
    chooser.observe(queueOf({}, kNone, 90'000));  // one job of 90 000 cycles without preemption
    chooser.observe(queueOf(both, kNone, 90'000));
    CHECK(chosen(chooser, both, kNone, 90'000) == 1);
    chooser.onContextCreated(1);
    CHECK(chosen(chooser, both, kNone, 90'000) == 0);  // both accounts are 0
    chooser.observe(queueOf(both, 0, 90'000));
    CHECK(chooser.cyclesToLook(queueOf(both, 0, 90'000)) == kSlice);
}

TEST_CASE("nothing else changes the choice while one context has jobs [Q-1]") {
    const SchedulingParameters parameters = fair(Policy::kBands);
    DeviceChooser chooser(parameters);
    const std::vector<Candidate> alone = {of(1, 0)};
    chooser.observe(queueOf(alone, 0, 0));
    CHECK(chooser.cyclesToLook(queueOf(alone, 0, 0)) == kNeverCycles);
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
