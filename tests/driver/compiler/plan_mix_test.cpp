// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan_mix.h"

#include <doctest/doctest.h>

#include <vector>

namespace vnpu::driver::test {
namespace {

constexpr std::uint64_t kLarge = 65536, kSmall = 32768;

/// A plan whose operations take these cycles one after the other, and 7 behind the last one.
TriedPlan planOf(std::uint64_t sramBytes, const std::vector<double>& cycles) {
    TriedPlan plan;
    plan.limits.sramBytes = sramBytes;
    plan.isBorder.assign(cycles.size(), true);
    for (const double each : cycles) {
        plan.totalCycles += each;
        plan.endCycles.push_back(plan.totalCycles);
    }
    plan.totalCycles += 7;
    return plan;
}

std::vector<SramLimits> limitsFrom(std::uint32_t operation) {
    return {{kLarge}, {.sramBytes = kSmall, .firstOperation = operation}};
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/plan_mix");

TEST_CASE("each operation takes the limits of the plan that is fastest there [Q-5]") {
    // Apart 117 and 87 cycles; together 10 + 10 + 20 + 10 and a change.
    std::vector<TriedPlan> plans = {planOf(kLarge, {10, 10, 80, 10}),
                                    planOf(kSmall, {30, 20, 20, 10})};
    CHECK(mixLimits(plans, 5) == limitsFrom(2));
    CHECK(mixLimits(plans, 29) == limitsFrom(2));
    CHECK(mixLimits(plans, 31) == std::vector<SramLimits>{{kSmall}});

    SUBCASE("a change lies at a border of both plans") {
        // Behind operation 0 the second plan takes 10 cycles more.
        for (TriedPlan& plan : plans) {
            plan.isBorder[1] = false;
            CHECK(mixLimits(plans, 5) == limitsFrom(1));
            CHECK(mixLimits(plans, 21) == std::vector<SramLimits>{{kSmall}});
            plan.isBorder[1] = true;
        }
    }
    SUBCASE("the time behind the last operation counts, and there may be several changes") {
        plans[1].totalCycles += 100;
        std::vector<SramLimits> expected = limitsFrom(2);
        expected.push_back({.sramBytes = kLarge, .firstOperation = 3});
        CHECK(mixLimits(plans, 5) == expected);
    }
}

TEST_CASE("nothing is mixed where one plan is the fastest everywhere, or without operations") {
    CHECK(mixLimits(std::vector{planOf(kLarge, {10, 10}), planOf(kSmall, {10, 20})}, 0) ==
          std::vector<SramLimits>{{kLarge}});
    CHECK(mixLimits(std::vector{planOf(kLarge, {})}, 0) == std::vector<SramLimits>{{kLarge}});
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
