// SPDX-License-Identifier: Apache-2.0
#include "sim/config/scheduling.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>

#include "tests/sim/base/input_error.h"

namespace {

using namespace vnpu::sim;

SchedulingOptions optionsOf(const std::string& lines) {
    const auto root = parseToml("[scheduling]\n" + lines, "s.toml");
    return readScheduling(*root["scheduling"].as_table(), "s.toml");
}

std::string schedulingError(const std::string& lines) {
    return vnpu::sim::test::inputErrorOf([&] { optionsOf(lines); });
}

TEST_SUITE_BEGIN("sim/config/scheduling");

TEST_CASE("an empty table overrides nothing") {
    CHECK(optionsOf("").isDefault());
    CHECK(describeScheduling(optionsOf("")) == "default");
    CHECK(optionsOf("").place == "s.toml:1");
}

TEST_CASE("every key is read [Q-2]") {
    const SchedulingOptions options = optionsOf(
            "strategy = \"apps\"\npolicy = \"least_laxity\"\nmechanism = \"dynamic\"\n"
            "granularity = \"operation\"\nquantum_us = 500\ngrace_us = [0, 1, 2, 3.5]\n"
            "starvation_share = 0.05\nperiod_us = 250\npreempt_timeout_us = 20\n"
            "app_slice_us = 1500\ncheckpoint_us = 50\nforced = true\n");
    CHECK(options.strategy == vnpu::driver::Strategy::kApps);
    CHECK(options.appSliceUs == 1500.0);
    CHECK(options.policy == vnpu::fw::Policy::kLeastLaxity);
    CHECK(options.mechanism == vnpu::fw::Mechanism::kDynamic);
    CHECK(options.granularity == vnpu::fw::Granularity::kOperation);
    CHECK(options.quantumUs == std::array<double, 4>{500, 500, 500, 500});
    CHECK(options.graceUs == std::array<double, 4>{0, 1, 2, 3.5});
    CHECK(options.starvationShare == 0.05);
    CHECK(options.periodUs == 250.0);
    CHECK(options.preemptTimeoutUs == 20.0);
    CHECK(options.checkpointUs == 50.0);
    CHECK(options.forced == true);
    CHECK_FALSE(options.isDefault());
    CHECK(describeScheduling(options) ==
          "strategy apps, policy least_laxity, mechanism dynamic, granularity operation, "
          "quantum_us 500/500/500/500, grace_us 0/1/2/3.5, starvation_share 0.05, period_us "
          "250, preempt_timeout_us 20, app_slice_us 1500, checkpoint_us 50, forced");
}

TEST_CASE("each name is read as its enumerator [Q-2]") {
    using vnpu::fw::Granularity;
    using vnpu::fw::Mechanism;
    using vnpu::fw::Policy;
    const auto read = [](const std::string& key, const std::string& word) {
        return optionsOf(key + " = \"" + word + "\"\n");
    };
    CHECK(read("policy", "bands").policy == Policy::kBands);
    CHECK(read("policy", "first_come").policy == Policy::kFirstCome);
    CHECK(read("policy", "round_robin").policy == Policy::kRoundRobin);
    CHECK(read("policy", "shortest_first").policy == Policy::kShortestFirst);
    CHECK(read("policy", "tokens").policy == Policy::kTokens);
    CHECK(read("policy", "earliest_deadline").policy == Policy::kEarliestDeadline);
    CHECK(read("policy", "least_laxity").policy == Policy::kLeastLaxity);
    CHECK(read("mechanism", "none").mechanism == Mechanism::kNone);
    CHECK(read("mechanism", "checkpoint").mechanism == Mechanism::kCheckpoint);
    CHECK(read("mechanism", "restart").mechanism == Mechanism::kRestart);
    CHECK(read("mechanism", "dynamic").mechanism == Mechanism::kDynamic);
    CHECK(read("granularity", "tile").granularity == Granularity::kTile);
    CHECK(read("granularity", "operation").granularity == Granularity::kOperation);
    CHECK(read("strategy", "apps").strategy == vnpu::driver::Strategy::kApps);
    CHECK(read("strategy", "device").strategy == vnpu::driver::Strategy::kDevice);
    CHECK(read("strategy", "queue").strategy == vnpu::driver::Strategy::kQueue);
}

TEST_CASE("unknown keys and words are refused with the nearest known one") {
    CHECK(schedulingError("polcy = \"bands\"\n") ==
          "s.toml:2: unknown key scheduling.polcy; did you mean \"policy\"?");
    CHECK(schedulingError("policy = \"token\"\n") ==
          "s.toml:2: scheduling.policy is \"token\", expected one of bands, first_come, "
          "round_robin, shortest_first, tokens, earliest_deadline, least_laxity; did you mean "
          "\"tokens\"?");
    CHECK(schedulingError("mechanism = 1\n") ==
          "s.toml:2: scheduling.mechanism is an integer, expected a string");
}

TEST_CASE("numbers out of range are refused") {
    CHECK(schedulingError("starvation_share = 1.5\n") ==
          "s.toml:2: scheduling.starvation_share is 1.5, expected 0 to 0.333");
    CHECK(schedulingError("starvation_share = nan\n") ==
          "s.toml:2: scheduling.starvation_share is nan, expected 0 to 0.333");
    CHECK(schedulingError("quantum_us = -1\n") ==
          "s.toml:2: scheduling.quantum_us is -1, expected 0 to 1000000000");
    CHECK(schedulingError("grace_us = [1, 2]\n") ==
          "s.toml:2: scheduling.grace_us has 2 numbers, expected one for all bands or four: "
          "idle, normal, focus, realtime");
}

TEST_CASE("settings that the strategy would ignore are refused [Q-3]") {
    CHECK(schedulingError("strategy = \"queue\"\nmechanism = \"checkpoint\"\n") ==
          "s.toml:3: scheduling.mechanism has no effect with strategy \"queue\", which gives the "
          "device one job at a time; strategy \"apps\" has a queue per UID on the device");
    CHECK(schedulingError("quantum_us = 5\nstrategy = \"queue\"\n")
                  .starts_with("s.toml:2: scheduling.quantum_us has no effect"));
    CHECK(schedulingError("strategy = \"device\"\napp_slice_us = 500\n") ==
          "s.toml:3: scheduling.app_slice_us has an effect with strategy \"apps\" only");
    CHECK(schedulingError("app_slice_us = 1\n") ==
          "s.toml:2: scheduling.app_slice_us is 1, expected 10 to 1000000000");
    CHECK(optionsOf("strategy = \"queue\"\ncheckpoint_us = 0\n").checkpointUs == 0.0);
}

TEST_CASE("settings that a scenario omits keep the driver's defaults [Q-2]") {
    const vnpu::driver::SchedulingOptions own;
    const vnpu::driver::SchedulingOptions result = driverScheduling({}, 700'000);
    CHECK(result.strategy == own.strategy);
    CHECK(result.policy == own.policy);
    CHECK(result.mechanism == own.mechanism);
    CHECK(result.checkpointCycles == own.checkpointCycles);
}

TEST_CASE("times become device cycles, shares become permille [Q-2]") {
    SchedulingOptions options;
    options.strategy = vnpu::driver::Strategy::kDevice;
    options.policy = vnpu::fw::Policy::kTokens;
    options.mechanism = vnpu::fw::Mechanism::kRestart;
    options.granularity = vnpu::fw::Granularity::kOperation;
    options.quantumUs = {0, 1, 2, 1000};
    options.graceUs = {4, 4, 4, 4};
    options.starvationShare = 0.05;
    options.periodUs = 250;
    options.preemptTimeoutUs = 20;
    options.appSliceUs = 1500;
    options.checkpointUs = 50;
    options.forced = true;
    const vnpu::driver::SchedulingOptions result = driverScheduling(options, 700'000);
    CHECK(result.strategy == vnpu::driver::Strategy::kDevice);
    CHECK(result.policy == vnpu::fw::Policy::kTokens);
    CHECK(result.mechanism == vnpu::fw::Mechanism::kRestart);
    CHECK(result.granularity == vnpu::fw::Granularity::kOperation);
    // 700 cycles are a microsecond.
    CHECK(result.quantumCycles == std::array<std::uint64_t, 4>{0, 700, 1400, 700'000});
    CHECK(result.graceCycles == std::array<std::uint64_t, 4>{2800, 2800, 2800, 2800});
    CHECK(result.starvationPermille == 50);
    CHECK(result.periodCycles == 175'000);
    CHECK(result.preemptTimeoutCycles == 14'000);
    CHECK(result.appSliceCycles == 1'050'000);
    CHECK(result.checkpointCycles == 35'000);
    CHECK(result.experiments.isForced);
    options = {};
    options.strategy = vnpu::driver::Strategy::kQueue;
    CHECK(driverScheduling(options, 700'000).mechanism == vnpu::fw::Mechanism::kNone);
}

TEST_SUITE_END();

}  // namespace
