// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline_svg.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/trace/event_stream.h"
#include "tests/sim/trace/recorded_run.h"

namespace {

using vnpu::hw::regs::PowerState;
using vnpu::sim::EventStream;
using vnpu::sim::TimelineSvg;

/// An execution from 2000 ns on, on a device that may sleep afterwards.
std::string pictureOf(bool sleeps) {
    TimelineSvg timeline(10'000);
    vnpu::hw::NpuConfig config = vnpu::test::halfGigahertz();
    config.power.level1Khz = 200'000;
    EventStream stream(config, vnpu::test::twoClients());
    stream.addSink(timeline);
    stream.begin();
    vnpu::test::playExecution(stream, 1000, 7, 3, vnpu::test::smallModel());
    if (sleeps) {
        stream.onPowerState(2000, PowerState::kSwitching, 1);
        stream.onPowerState(2500, PowerState::kActive, 1);
        stream.onPowerState(3000, PowerState::kSuspended, 1);
    }
    stream.end(8000);
    return timeline.render();
}

TEST_SUITE_BEGIN("sim/report/timeline_svg");

TEST_CASE("clock and power have a row if they change [E-6]") {
    const std::string picture = pictureOf(true);
    CHECK(picture.find(">power</text>") != std::string::npos);
    CHECK(picture.find("<title>switching to 200 MHz (1.0 us)</title>") != std::string::npos);
    CHECK(picture.find("<title>active 200 MHz (1.0 us)</title>") != std::string::npos);
    CHECK(picture.find("<title>suspended (2.0 us)</title>") != std::string::npos);
    CHECK(pictureOf(false).find("power") == std::string::npos);
}

TEST_SUITE_END();

}  // namespace
