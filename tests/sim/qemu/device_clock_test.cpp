// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/device_clock.h"

#include <doctest/doctest.h>

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using vnpu::sim::DeviceClock;
using vnpu::sim::Pace;

constexpr Pace::WallTime kNoon{1000s};
constexpr nanoseconds kNever = 1h;

}  // namespace

TEST_SUITE_BEGIN("sim/qemu/device_clock");

TEST_CASE("time stands still until the guest comes [issue 28.5]") {
    DeviceClock clock(Pace::maximum());
    CHECK(clock.next(0ns, 5us, kNoon).sleepUntil == Pace::WallTime::max());
    clock.noteActivity(0ns, kNoon);
    CHECK_FALSE(clock.next(0ns, 5us, kNoon).sleepUntil.has_value());
}

TEST_CASE("a device that works is simulated without a break [issue 28.5]") {
    DeviceClock clock(Pace::maximum());
    clock.noteActivity(0ns, kNoon);
    nanoseconds now = 0ns;
    for (int i = 0; i < 10'000; ++i) {
        const Pace::Step step = clock.next(now, now + 3us, kNoon + i * 1ms);
        REQUIRE_FALSE(step.sleepUntil.has_value());
        REQUIRE(step.runUntil > now);
        now = step.runUntil;
    }
}

TEST_CASE("a device that sleeps follows the wall clock and stops after a second [issue 28.5]") {
    DeviceClock clock(Pace::maximum());
    clock.noteActivity(0ns, kNoon);
    CHECK(clock.next(0ns, 10ms, kNoon).sleepUntil == kNoon + 10ms);
    CHECK(clock.next(0ns, 10ms, kNoon + 10ms).runUntil == 10ms);
    CHECK(clock.next(10ms, kNever, kNoon + 999ms).sleepUntil != Pace::WallTime::max());
    CHECK(clock.next(10ms, kNever, kNoon + 1001ms).sleepUntil == Pace::WallTime::max());
    SUBCASE("the time in between has not passed") {
        clock.noteActivity(10ms, kNoon + 1h);
        CHECK(clock.next(10ms, 11ms, kNoon + 1h).sleepUntil == kNoon + 1h + 1ms);
    }
}

TEST_CASE("heartbeats do not count as work [issue 28.5]") {
    DeviceClock clock(Pace::maximum());
    clock.noteActivity(0ns, kNoon);
    bool isStopped = false;
    for (int beat = 0; beat < 1100 && !isStopped; ++beat) {
        const nanoseconds now = beat * 1ms;
        static_cast<void>(clock.next(now, now + 2us, kNoon + now));
        isStopped =
                clock.next(now + 20us, now + 1ms, kNoon + now).sleepUntil == Pace::WallTime::max();
    }
    CHECK(isStopped);
}

TEST_SUITE_END();
