// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/scheduling_handover.h"

#include <doctest/doctest.h>

#include "sim/error.h"

namespace {

using namespace vnpu::sim;

TEST_SUITE("sim/platform/scheduling_handover") {
    TEST_CASE("takes what the driver does anyway") {
        vnpu::driver::DriverOptions options;
        SchedulingOptions scheduling;
        CHECK_NOTHROW(handOver(scheduling, options));
        scheduling.policy = vnpu::fw::Policy::kBands;
        scheduling.mechanism = vnpu::fw::Mechanism::kNone;
        scheduling.granularity = vnpu::fw::Granularity::kOperation;
        scheduling.checkpointUs = 0.0;
        CHECK_NOTHROW(handOver(scheduling, options));
    }

    TEST_CASE("refuses what the driver does not offer") {
        vnpu::driver::DriverOptions options;
        SchedulingOptions scheduling;
        scheduling.policy = vnpu::fw::Policy::kTokens;
        scheduling.place = "s.toml:4";
        CHECK_THROWS_WITH_AS(handOver(scheduling, options),
                             "s.toml:4: scheduling is policy tokens, expected policy bands, "
                             "mechanism none: this driver offers no other",
                             InputError);
    }
}

}  // namespace
