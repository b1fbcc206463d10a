// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/pace.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using vnpu::sim::Pace;

constexpr Pace::WallTime kNoon{1000s};

}  // namespace

TEST_SUITE_BEGIN("sim/platform/pace");

TEST_CASE("as fast as possible, a working device is not delayed [E-5]") {
    Pace pace = Pace::maximum();
    pace.restart(0ns, kNoon);
    nanoseconds now = 0ns;
    for (int i = 0; i < 1000; ++i) {
        const Pace::Step step = pace.next(now, now + 2us, kNoon);
        CHECK_FALSE(step.sleepUntil.has_value());
        REQUIRE(step.runUntil > now);
        now = step.runUntil;
    }
    CHECK(now >= 1ms);
}

TEST_CASE("as fast as possible, a sleeping device follows the wall clock [E-5]") {
    Pace pace = Pace::maximum();
    pace.restart(5ms, kNoon);
    const Pace::Step nap = pace.next(5ms, 15ms, kNoon);
    REQUIRE(nap.sleepUntil.has_value());
    CHECK(*nap.sleepUntil == kNoon + 10ms);
    SUBCASE("until the time has passed") {
        const Pace::Step step = pace.next(5ms, 15ms, kNoon + 10ms);
        CHECK_FALSE(step.sleepUntil.has_value());
        CHECK(step.runUntil == 15ms);
    }
    SUBCASE("also when it is woken in between") {
        const Pace::Step step = pace.next(5ms, 15ms, kNoon + 4ms);
        REQUIRE(step.sleepUntil.has_value());
        CHECK(*step.sleepUntil == kNoon + 10ms);
    }
    SUBCASE("and work in between restarts the wait") {
        CHECK_FALSE(pace.next(5ms, 5ms + 1us, kNoon + 4ms).sleepUntil.has_value());
        const Pace::Step step = pace.next(6ms, 15ms, kNoon + 5ms);
        REQUIRE(step.sleepUntil.has_value());
        CHECK(*step.sleepUntil == kNoon + 14ms);
    }
}

TEST_CASE("an idle device without events is polled again [E-5]") {
    Pace pace = Pace::maximum();
    const Pace::Step step = pace.next(0ns, nanoseconds::max(), kNoon);
    REQUIRE(step.sleepUntil.has_value());
    CHECK(*step.sleepUntil > kNoon);
    CHECK(*step.sleepUntil <= kNoon + 1s);
}

TEST_CASE("by a factor, simulated time never runs ahead of the wall clock [E-5]") {
    Pace pace = Pace::byFactor(0.5);
    pace.restart(0ns, kNoon);
    const Pace::Step early = pace.next(0ns, 1us, kNoon);
    REQUIRE(early.sleepUntil.has_value());
    // A slice of simulated time takes twice as long on the wall clock.
    CHECK(*early.sleepUntil == kNoon + 40us);
    const Pace::Step step = pace.next(0ns, 1us, kNoon + 40us);
    CHECK_FALSE(step.sleepUntil.has_value());
    CHECK(step.runUntil == 20us);
}

TEST_CASE("by a factor, a host that is too slow does not catch up [E-5]") {
    Pace pace = Pace::byFactor(1.0);
    pace.restart(0ns, kNoon);
    // A second behind: the next step waits again.
    const Pace::Step step = pace.next(0ns, 1us, kNoon + 1s);
    REQUIRE(step.sleepUntil.has_value());
    CHECK(*step.sleepUntil == kNoon + 1s + 20us);
}

TEST_CASE("a pace is max, realtime or a factor [E-5]") {
    using vnpu::sim::parsePace;
    Pace half = parsePace("0.5");
    half.restart(0ns, kNoon);
    CHECK(half.next(0ns, 1us, kNoon).sleepUntil == kNoon + 40us);
    Pace real = parsePace("realtime");
    real.restart(0ns, kNoon);
    CHECK(real.next(0ns, 1us, kNoon).sleepUntil == kNoon + 20us);
    CHECK_FALSE(parsePace("max").next(0ns, 1us, kNoon).sleepUntil.has_value());
    for (const char* wrong : {"", "fast", "0", "-1", "nan", "inf", "1x", "1e9"}) {
        CAPTURE(wrong);
        CHECK_THROWS_WITH_AS(parsePace(wrong), doctest::Contains("expected max, realtime"),
                             vnpu::sim::InputError);
    }
}

TEST_SUITE_END();
