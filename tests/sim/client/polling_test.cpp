// SPDX-License-Identifier: Apache-2.0
#include "sim/client/polling.h"

#include <doctest/doctest.h>

#include "tests/sim/client/fake_device.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;
using namespace std::chrono_literals;

std::chrono::nanoseconds timeUntil(std::chrono::nanoseconds moment) {
    FakeContext context;
    const std::chrono::nanoseconds begin = context.time;
    pollUntil(context, [&] { return context.time - begin >= moment; });
    return context.time - begin;
}

}  // namespace

TEST_SUITE_BEGIN("sim/client/polling");

TEST_CASE("a condition is noticed immediately if true, and within a microsecond if soon") {
    CHECK(timeUntil(0ns) == 0ns);
    CHECK(timeUntil(1ns) == 1us);
    CHECK(timeUntil(20us) == 20us);
}

TEST_CASE("a late condition is noticed within a hundredth of the waiting time") {
    CHECK(timeUntil(50ms) >= 50ms);
    CHECK(timeUntil(50ms) <= 50'500us);
}

TEST_SUITE_END();
