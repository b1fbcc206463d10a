// SPDX-License-Identifier: Apache-2.0
#include "sim/client/execution_meter.h"

#include <doctest/doctest.h>

namespace {

using namespace vnpu;
using namespace std::chrono_literals;
using hw::regs::PerfEvent;
using hw::regs::PowerState;

hw::NpuConfig twoLevels() {
    hw::NpuConfig config;
    config.clockKhz = 500'000;  // a cycle is 2 ns
    config.power.level1Khz = 250'000;
    return config;
}

}  // namespace

TEST_SUITE_BEGIN("sim/client/execution_meter");

TEST_CASE("job cycles span once from the first command queued to the last one finished") {
    sim::JobCycles cycles;
    CHECK(cycles.take() == 0);
    cycles.onEngineCommand({.queuedCycle = 120, .startCycle = 130, .endCycle = 500});
    cycles.onEngineCommand({.queuedCycle = 100, .startCycle = 105, .endCycle = 300});
    CHECK(cycles.take() == 400);
    CHECK(cycles.take() == 0);
}

TEST_CASE("the work of engines and controller since the last call is summed [E-6]") {
    sim::ExecutionMeter meter(twoLevels());
    hw::EngineCommandRecord record{.queuedCycle = 100, .startCycle = 110, .endCycle = 300};
    record.activity[PerfEvent::kSramBytes] = 5;
    meter.onEngineCommand(record);
    meter.onEngineCommand(record);
    hw::Activity controller;
    controller[PerfEvent::kControllerCoreCycles] = 9;
    meter.onControllerActivity(310, controller);
    const auto measure = meter.take(1us);
    CHECK(measure.cycles == 200);
    CHECK(measure.activity[PerfEvent::kSramBytes] == 10);
    CHECK(measure.activity[PerfEvent::kControllerCoreCycles] == 9);
    const auto nothing = meter.take(1us);
    CHECK(nothing.cycles == 0);
    CHECK(nothing.activity == hw::Activity{});
}

TEST_CASE("time awake and asleep, and the cycles of each level, are separate [E-6]") {
    sim::ExecutionMeter meter(twoLevels());
    meter.onPowerState(1000, PowerState::kSwitching, 1);   // 2000 ns at level 0
    meter.onPowerState(1100, PowerState::kActive, 1);      // 200 ns without clock
    meter.onPowerState(2100, PowerState::kSuspending, 1);  // 2000 ns at level 1
    meter.onPowerState(2200, PowerState::kSuspended, 1);   // 200 ns
    const auto measure = meter.take(5us);                  // 600 ns asleep
    CHECK(measure.activity.awakeNs == 2000 + 200 + 2000 + 200);
    CHECK(measure.activity.asleepNs == 600);
    CHECK(measure.activity.clockCycles == 1000 + 500);
    CHECK(meter.take(6us).activity.asleepNs == 1000);
}

TEST_SUITE_END();
