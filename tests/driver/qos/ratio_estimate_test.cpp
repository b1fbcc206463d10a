// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/ratio_estimate.h"

#include <doctest/doctest.h>

#include <barrier>
#include <memory>
#include <thread>
#include <vector>

namespace vnpu::driver {

TEST_SUITE_BEGIN("driver/qos/ratio_estimate");

TEST_CASE("the first observation counts in full, later ones by half [Q-5]") {
    RatioEstimate estimate(1.0);
    CHECK_EQ(estimate.of(1000), 1000);
    estimate.observe(1000, 1200);
    CHECK_EQ(estimate.of(1000), 1200);
    estimate.observe(1000, 1000);
    CHECK_EQ(estimate.of(1000), 1100);
    estimate.observe(1000, 0);  // nothing was seen
    estimate.observe(0, 500);   // nothing to compare with
    CHECK_EQ(estimate.of(1000), 1100);
    CHECK_EQ(estimate.of(0), 0);
    CHECK_EQ(RatioEstimate(0).of(1000), 0);
}

TEST_CASE("observations from several threads at once leave a mean of what was seen [Q-5]") {
    // Two first observations meet. Whichever is first, the start value must not be part of the
    // mean.
    constexpr int kRounds = 20'000;
    std::vector<std::unique_ptr<RatioEstimate>> estimates;
    for (int i = 0; i < kRounds; ++i) {
        estimates.push_back(std::make_unique<RatioEstimate>(1.0));
    }
    std::barrier together(2);
    const auto observeAll = [&](std::uint64_t actual) {
        for (const auto& estimate : estimates) {
            together.arrive_and_wait();
            estimate->observe(1000, actual);
        }
    };
    std::thread other(observeAll, 2000);
    observeAll(4000);
    other.join();
    for (const auto& estimate : estimates) {
        REQUIRE_EQ(estimate->of(1000), 3000);
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver
