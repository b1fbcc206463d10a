// SPDX-License-Identifier: Apache-2.0
#include "sim/service/load_meter.h"

#include <doctest/doctest.h>

#include "sim/config/load_config.h"

namespace vnpu::sim {
namespace {

using hw::Engine;
using hw::regs::PowerState;
using std::chrono::nanoseconds;

void play(LoadMeter& meter, Engine engine, std::uint64_t start, std::uint64_t end) {
    hw::EngineCommandRecord record;
    record.engine = engine;
    record.startCycle = start;
    record.endCycle = end;
    meter.onEngineCommand({.record = record});
}

nanoseconds busyOf(const LoadMeter& meter, Engine engine) {
    return meter.load().busy.at(hw::engineIndex(engine));
}

TEST_SUITE_BEGIN("sim/service/load_meter");

TEST_CASE("an engine is busy from a command's begin to its end, once for two that overlap [E-5]") {
    hw::NpuConfig config = loadConfig("edge");
    config.clockKhz = 500'000;  // 2 ns a cycle
    LoadMeter meter(config);
    play(meter, Engine::kMac, 100, 400);
    play(meter, Engine::kMac, 380, 500);  // overlaps the output of its predecessor
    play(meter, Engine::kMac, 420, 480);  // within the preceding command
    play(meter, Engine::kMac, 1000, 1001);
    play(meter, Engine::kDma2, 0, 50);
    CHECK(busyOf(meter, Engine::kMac) == nanoseconds(2 * (400 + 1)));
    CHECK(busyOf(meter, Engine::kDma2) == nanoseconds(2 * 50));
    CHECK(busyOf(meter, Engine::kVector) == nanoseconds(0));
}

TEST_CASE("the clock has the last reported state [E-5]") {
    hw::NpuConfig config = loadConfig("edge");
    config.power.level1Khz = 600'000;
    LoadMeter meter(config);
    CHECK(meter.load().power == "active 1000 MHz");
    meter.onPowerState(10, PowerState::kSwitching, 1);
    CHECK(meter.load().power == "switching to 600 MHz");
    meter.onPowerState(20, PowerState::kActive, 1);
    CHECK(meter.load().power == "active 600 MHz");
    meter.onPowerState(30, PowerState::kSuspended, 1);
    CHECK(meter.load().power == "suspended");
}

TEST_SUITE_END();

}  // namespace
}  // namespace vnpu::sim
