// SPDX-License-Identifier: Apache-2.0
#include "sim/client/job_cycles.h"

#include <doctest/doctest.h>

using namespace vnpu::sim;

TEST_SUITE_BEGIN("sim/client/job_cycles");

TEST_CASE("spans from the first command queued to the last one finished, once") {
    JobCycles cycles;
    CHECK(cycles.take() == 0);
    cycles.onEngineCommand({.queuedCycle = 120, .startCycle = 130, .endCycle = 500});
    cycles.onEngineCommand({.queuedCycle = 100, .startCycle = 105, .endCycle = 300});
    CHECK(cycles.take() == 400);
    CHECK(cycles.take() == 0);
}

TEST_SUITE_END();
