// SPDX-License-Identifier: Apache-2.0
#include "sim/base/duration.h"

#include <doctest/doctest.h>

namespace {

using vnpu::sim::parseDuration;

TEST_SUITE_BEGIN("sim/base/duration");

TEST_CASE("each unit is read") {
    CHECK(parseDuration("7 ns") == 7U);
    CHECK(parseDuration("7 us") == 7'000U);
    CHECK(parseDuration("7 ms") == 7'000'000U);
    CHECK(parseDuration("7 s") == 7'000'000'000U);
}

TEST_CASE("decimal fractions are read exactly") {
    CHECK(parseDuration("33.333 ms") == 33'333'000U);
    CHECK(parseDuration("0.1 us") == 100U);
    CHECK(parseDuration("1.50 s") == 1'500'000'000U);
}

TEST_CASE("a fraction of a nanosecond is refused") {
    CHECK_FALSE(parseDuration("1.5 ns"));
    CHECK_FALSE(parseDuration("0.0001 us"));
    CHECK(parseDuration("1.0 ns") == 1U);
}

TEST_CASE("other forms are refused") {
    for (const char* text :
         {"", "5", "5ms", "5  ms", " 5 ms", "5 ms ", "-5 ms", "+5 ms", "5 MS", "5 min", "ms",
          ". ms", "5. ms", ".5 ms", "1e3 ms", "0x5 ms", "5,5 ms"}) {
        CHECK_MESSAGE(!parseDuration(text), text);
    }
}

TEST_CASE("durations up to an hour are accepted") {
    CHECK(parseDuration("3600 s") == 3'600'000'000'000U);
    CHECK_FALSE(parseDuration("3600.000000001 s"));
    CHECK_FALSE(parseDuration("99999999999999999999 s"));
}

TEST_SUITE_END();

}  // namespace
