// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/ratio_estimate.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <deque>
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
    estimate.observe(1000, 0);  // no observation
    estimate.observe(0, 500);   // nothing to compare with
    CHECK_EQ(estimate.of(1000), 1100);
    CHECK_EQ(estimate.of(0), 0);
    CHECK_EQ(RatioEstimate(0).of(1000), 0);
}

TEST_CASE("no observation is lost among several threads [Q-5]") {
    // Starting at 2^62, each observation of 1 halves the distance to 1, in any order.
    constexpr int kThreads = 4;
    constexpr int kSweeps = 15;
    std::deque<RatioEstimate> estimates;
    for (int i = 0; i < 60'000; ++i) {
        estimates.emplace_back(1.0).observe(1, std::uint64_t{1} << (kThreads * kSweeps + 2));
    }
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&] {
            for (int sweep = 0; sweep < kSweeps; ++sweep) {
                for (RatioEstimate& estimate : estimates) {
                    estimate.observe(1, 1);
                }
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (const RatioEstimate& estimate : estimates) {
        REQUIRE(estimate.of(1000) / 10 >= 499);  // 1 + 4; 1 + 8 if one is lost
        REQUIRE(estimate.of(1000) / 10 <= 501);
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver
