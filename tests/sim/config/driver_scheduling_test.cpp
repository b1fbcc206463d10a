// SPDX-License-Identifier: Apache-2.0
#include "sim/config/driver_scheduling.h"

#include <doctest/doctest.h>

namespace {

using namespace vnpu::sim;

TEST_SUITE("sim/config/driver_scheduling") {
    TEST_CASE("what a scenario leaves out stays as the driver has it [Q-2]") {
        const vnpu::driver::SchedulingOptions own;
        const vnpu::driver::SchedulingOptions result = driverScheduling({}, 700'000);
        CHECK(result.strategy == own.strategy);
        CHECK(result.policy == own.policy);
        CHECK(result.mechanism == own.mechanism);
        CHECK(result.checkpointCycles == own.checkpointCycles);
    }

    TEST_CASE("times become cycles of the device, shares permille [Q-2]") {
        SchedulingOptions options;
        options.strategy = vnpu::driver::Strategy::kQueue;
        options.policy = vnpu::fw::Policy::kTokens;
        options.mechanism = vnpu::fw::Mechanism::kRestart;
        options.granularity = vnpu::fw::Granularity::kOperation;
        options.quantumUs = {0, 1, 2, 1000};
        options.graceUs = {4, 4, 4, 4};
        options.starvationShare = 0.05;
        options.periodUs = 250;
        options.preemptTimeoutUs = 20;
        options.checkpointUs = 50;
        options.forced = true;
        const vnpu::driver::SchedulingOptions result = driverScheduling(options, 700'000);
        CHECK(result.strategy == vnpu::driver::Strategy::kQueue);
        CHECK(result.policy == vnpu::fw::Policy::kTokens);
        CHECK(result.mechanism == vnpu::fw::Mechanism::kRestart);
        CHECK(result.granularity == vnpu::fw::Granularity::kOperation);
        // 700 cycles are a microsecond.
        CHECK(result.quantumCycles == std::array<std::uint64_t, 4>{0, 700, 1400, 700'000});
        CHECK(result.graceCycles == std::array<std::uint64_t, 4>{2800, 2800, 2800, 2800});
        CHECK(result.starvationPermille == 50);
        CHECK(result.periodCycles == 175'000);
        CHECK(result.preemptTimeoutCycles == 14'000);
        CHECK(result.checkpointCycles == 35'000);
        CHECK(result.isForced);
    }
}

}  // namespace
