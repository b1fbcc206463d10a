// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/firmware/rig.h"

namespace vnpu::fw::test {
namespace {

/// The longest time between two ticks, from the start to the end of the only job.
std::uint64_t longestPause(const Rig& rig) {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    for (const FakeController::Mark& mark : rig.device.marks) {
        start = mark.event == "job-start" ? mark.cycle : start;
        end = mark.event == "job-end" ? mark.cycle : end;
    }
    REQUIRE(end > start);
    std::uint64_t longest = 0;
    std::uint64_t last = start;
    for (const std::uint64_t tick : rig.device.heartbeats) {
        if (tick > start && tick <= end) {
            longest = std::max(longest, tick - last);
            last = tick;
        }
    }
    return std::max(longest, end - last);
}

std::uint64_t pauseWithInterval(std::uint64_t intervalCycles, std::uint32_t engineCycles) {
    Rig rig;
    rig.parameters.heartbeatIntervalCycles = intervalCycles;
    rig.device.engineCycles.fill(engineCycles);
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&] { rig.submit(0, rig.smallJob(1)); });
    rig.run();
    return longestPause(rig);
}

}  // namespace

TEST_SUITE_BEGIN("firmware/supervisor");

TEST_CASE("the heartbeat keeps its interval while an engine works for long [E-7]") {
    CHECK(pauseWithInterval(10000, 500000) <= 10000);
    CHECK(pauseWithInterval(50000, 500000) <= 50000);
}

TEST_CASE("an interval that is too short is raised to 4096 cycles") {
    CHECK(pauseWithInterval(1, 100000) <= 4096);
}

TEST_CASE("interval 0 selects the firmware's default") {
    CHECK(pauseWithInterval(0, 3000000) <= 1000000);
}

TEST_CASE("the heartbeat keeps its interval while commands are dispatched") {
    Rig rig;
    rig.parameters.heartbeatIntervalCycles = 4096;
    rig.device.engineCycles.fill(1);
    rig.makeRing(0, 1, PriorityBand::kNormal);
    hw::CommandWriter writer;
    for (int i = 0; i < 1000; ++i) {
        writer.add(onEngine(hw::Engine::kDma0), smallFill());
    }
    writer.add({}, hw::Opcode::kEnd);
    rig.step([&] { rig.submit(0, rig.makeJob(1, writer)); });
    rig.run();
    CHECK(longestPause(rig) <= 4096);
}

TEST_CASE("an idle device sleeps") {
    Rig rig;
    const std::uint64_t start = rig.device.now();
    rig.step([&] { rig.device.at(start + 10'000'000, [] {}); });
    rig.run();
    CHECK(rig.device.now() > 10'000'000);
    CHECK(rig.device.sleeps < 10);
}

TEST_CASE("a doorbell in the middle of a job is not lost") {
    Rig rig;
    rig.device.engineCycles.fill(50000);
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.makeRing(1, 1, PriorityBand::kNormal);
    rig.step([&] {
        rig.submit(0, rig.smallJob(1));
        for (std::uint64_t i = 1; i <= 4; ++i) {
            rig.device.at(rig.device.now() + i * 5000,
                          [&rig, i] { rig.submit(1, rig.smallJob(10 + i)); });
        }
    });
    rig.run();
    CHECK(rig.device.executed.size() == 5);
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("a doorbell at any cycle of a short job is not lost [E-1]") {
    for (std::uint64_t delay = 0; delay < 3000; delay += 7) {
        Rig rig;
        rig.makeRing(0, 1, PriorityBand::kNormal);
        rig.step([&] {
            rig.submit(0, rig.smallJob(1));
            rig.device.at(rig.device.now() + delay, [&] { rig.submit(0, rig.smallJob(2)); });
        });
        rig.run();
        CHECK(rig.device.executed.size() == 2);
    }
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
