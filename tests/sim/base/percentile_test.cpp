// SPDX-License-Identifier: Apache-2.0
#include "sim/base/percentile.h"

#include <doctest/doctest.h>

#include <numeric>

namespace {

using vnpu::sim::nearestRank;

TEST_SUITE_BEGIN("sim/base/percentile");

TEST_CASE("percentiles are taken by nearest rank [E-6]") {
    std::vector<std::uint64_t> hundred(100);
    std::iota(hundred.begin(), hundred.end(), 1);
    CHECK(nearestRank(hundred, 50.0) == 50);
    CHECK(nearestRank(hundred, 99.0) == 99);
    CHECK(nearestRank({1, 2, 3, 4}, 50.0) == 2);
    CHECK(nearestRank({1, 2, 3, 4}, 99.0) == 4);
    CHECK(nearestRank({5}, 1.0) == 5);
    CHECK(nearestRank({}, 50.0) == 0);
}

TEST_SUITE_END();

}  // namespace
