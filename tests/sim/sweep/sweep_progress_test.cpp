// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/sweep_progress.h"

#include <doctest/doctest.h>

namespace {

using namespace vnpu::sim;
using namespace std::chrono_literals;

constexpr std::chrono::steady_clock::time_point kStart{};

TEST_SUITE_BEGIN("sim/sweep/sweep_progress");

TEST_CASE("times are rough") {
    CHECK(roughTime(0.4s) == "0 s");
    CHECK(roughTime(59.4s) == "59 s");
    CHECK(roughTime(59.6s) == "1 min 0 s");
    CHECK(roughTime(200s) == "3 min 20 s");
    CHECK(roughTime(2h + 5min + 59s) == "2 h 5 min");
}

TEST_CASE("the time that is left follows from the mean rate of the points") {
    SweepProgressText text;
    CHECK(text.text({.isMeasuringAlone = true, .done = 0, .count = 2}, kStart) ==
          "models alone [>                   ] 0 of 2");
    CHECK(text.text({.isMeasuringAlone = true, .done = 1, .count = 2}, kStart + 10s) ==
          "models alone [==========>         ] 1 of 2, about 10 s left");
    CHECK(text.text({.done = 0, .count = 48}, kStart + 100s) ==
          "points [>                   ] 0 of 48");
    // 12 points in 60 s, so 36 points take 180 s.
    CHECK(text.text({.done = 12, .count = 48, .failed = 1}, kStart + 160s) ==
          "points [=====>              ] 12 of 48, 1 failed, about 3 min 0 s left");
    CHECK(text.text({.done = 48, .count = 48, .failed = 1}, kStart + 200s) ==
          "points [====================] 48 of 48, 1 failed");
}

TEST_CASE("a sweep without points has an empty bar") {
    SweepProgressText text;
    CHECK(text.text({}, kStart) == "points [>                   ] 0 of 0");
}

TEST_SUITE_END();

}  // namespace
