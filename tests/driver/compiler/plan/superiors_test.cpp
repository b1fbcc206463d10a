// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan/superiors.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace vnpu::driver {
namespace {

TEST_SUITE_BEGIN("driver/compiler/plan/superiors");

TEST_CASE("a superior is as good in all three respects") {
    Superiors superiors;
    CHECK_FALSE(superiors.haveBetter(10, 10, 10));
    superiors.add(10, 20, 30);
    CHECK(superiors.haveBetter(10, 20, 30));
    CHECK(superiors.haveBetter(11, 21, 31));
    CHECK_FALSE(superiors.haveBetter(9, 21, 31));
    CHECK_FALSE(superiors.haveBetter(11, 19, 31));
    CHECK_FALSE(superiors.haveBetter(11, 21, 29));
}

TEST_CASE("the oldest superior makes room") {
    Superiors superiors;
    for (std::uint64_t i = 0; i < 9; ++i) {  // each has the fewest bytes so far, and costs the most
        superiors.add(static_cast<double>(i), 100 - i, 1);
    }
    CHECK_FALSE(superiors.haveBetter(0, 100, 1));
    CHECK(superiors.haveBetter(1, 99, 1));
    CHECK(superiors.haveBetter(8, 92, 1));
}

TEST_CASE("only what a smaller candidate beats is left out, and all of it at half the size") {
    std::mt19937 random(7);
    std::vector<std::pair<std::uint64_t, double>> candidates;
    for (int i = 0; i < 300; ++i) {
        const std::uint64_t size = std::uint64_t{random()} >> (random() % 32);
        candidates.emplace_back(size, random() % 1000);
    }
    candidates.emplace_back(0, 500);
    candidates.emplace_back(UINT64_MAX, 0);
    LeastBySize least;
    for (const auto& [size, cycles] : candidates) {
        least.add(size, cycles);
    }
    least.finish();
    std::size_t found = 0;
    for (const auto& [size, cycles] : candidates) {
        bool isBeaten = false, isBeatenByHalf = false;
        for (const auto& [otherSize, otherCycles] : candidates) {
            const bool isCheaper = otherCycles < cycles;
            isBeaten = isBeaten || (isCheaper && otherSize < size);
            isBeatenByHalf = isBeatenByHalf || (isCheaper && otherSize < size / 2);
        }
        const bool isFound = least.haveBetter(size, cycles);
        CHECK_FALSE((isFound && !isBeaten));
        CHECK_FALSE((isBeatenByHalf && !isFound));
        found += isFound ? 1 : 0;
    }
    CHECK(found > 200);
}

TEST_CASE("a larger candidate beats none, not even one of nearly its size") {
    LeastBySize least;
    least.add(1001, 1);
    least.add(1000, 2);
    least.finish();
    CHECK_FALSE(least.haveBetter(1000, 2));
    CHECK_FALSE(least.haveBetter(1001, 1));
    CHECK(least.haveBetter(2002, 2));
}

TEST_SUITE_END();

}  // namespace
}  // namespace vnpu::driver
