// SPDX-License-Identifier: Apache-2.0
#include "sim/client/driver_log.h"

#include <doctest/doctest.h>

#include <string>

using namespace vnpu::sim;
using namespace std::chrono_literals;

TEST_SUITE_BEGIN("sim/client/driver_log");

TEST_CASE("lines are kept in order, and the last one is available") {
    DriverLog log;
    CHECK(log.lastLine().empty());
    log.onLog(1ns, "first");
    log.onLog(2ns, "second");
    CHECK(log.lines().size() == 2);
    CHECK(log.lastLine() == "second");
    log.clear();
    CHECK(log.lines().empty());
}

TEST_CASE("the oldest lines are dropped when there are too many") {
    DriverLog log;
    for (int i = 0; i < 1500; ++i) {
        log.onLog(1ns, std::to_string(i));
    }
    CHECK(log.lines().size() == 1000);
    CHECK(log.lines().front() == "500");
}

TEST_SUITE_END();
