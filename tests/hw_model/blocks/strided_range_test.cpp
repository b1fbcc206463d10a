// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/base/strided_range.h"

#include <doctest/doctest.h>

#include <random>
#include <set>

using vnpu::hw::StridedRange;

namespace {

std::set<std::uint64_t> bytesOf(const StridedRange& range) {
    std::set<std::uint64_t> bytes;
    range.forEachRow([&](std::uint64_t begin, std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i) {
            bytes.insert(begin + i);
        }
    });
    return bytes;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/strided_range");

TEST_CASE("joins dense rows into one [E-2]") {
    StridedRange range(100, 16);
    range.repeat(4, 16);
    range.repeat(2, 64);
    int rows = 0;
    range.forEachRow([&](std::uint64_t begin, std::uint64_t bytes) {
        ++rows;
        CHECK(begin == 100);
        CHECK(bytes == 128);
    });
    CHECK(rows == 1);
    CHECK(range.end() == 228);
}

TEST_CASE("keeps interleaved rows apart [E-2]") {
    StridedRange even(0, 4);
    even.repeat(8, 8);
    StridedRange odd(4, 4);
    odd.repeat(8, 8);
    CHECK_FALSE(even.overlaps(odd));
    CHECK_FALSE(odd.overlaps(even));
    StridedRange wide(3, 2);
    wide.repeat(8, 8);
    CHECK(even.overlaps(wide));
    CHECK(wide.overlaps(even));
    CHECK(wide.overlaps(odd));
}

TEST_CASE("a row inside a gap overlaps nothing [E-2]") {
    StridedRange rows(0, 10);
    rows.repeat(5, 100);
    CHECK_FALSE(rows.overlaps(StridedRange(10, 90)));
    CHECK(rows.overlaps(StridedRange(10, 91)));
    CHECK_FALSE(rows.overlaps(StridedRange(410, 1000)));
}

TEST_CASE("an empty range overlaps nothing [E-2]") {
    StridedRange empty(10, 8);
    empty.repeat(0, 8);
    CHECK(empty.isEmpty());
    CHECK_FALSE(empty.overlaps(StridedRange(0, 100)));
    CHECK_FALSE(StridedRange(0, 100).overlaps(empty));
}

TEST_CASE("agrees with byte sets on many layouts [E-2]") {
    std::mt19937 random(7);
    const auto pick = [&](unsigned low, unsigned high) {
        return std::uniform_int_distribution<unsigned>(low, high)(random);
    };
    for (int round = 0; round < 3000; ++round) {
        StridedRange ranges[2];
        for (StridedRange& range : ranges) {
            range = StridedRange(pick(0, 200), pick(1, 6));
            for (unsigned d = pick(0, 3); d > 0; --d) {
                range.repeat(pick(1, 4), pick(0, 40));
            }
        }
        const std::set<std::uint64_t> first = bytesOf(ranges[0]);
        const std::set<std::uint64_t> second = bytesOf(ranges[1]);
        bool isShared = false;
        for (const std::uint64_t byte : first) {
            isShared = isShared || second.count(byte) != 0;
        }
        REQUIRE(ranges[0].overlaps(ranges[1]) == isShared);
        REQUIRE((ranges[0].mayOverlap(ranges[1]) || !isShared));
        REQUIRE(*first.begin() == ranges[0].first());
        REQUIRE(*first.rbegin() + 1 == ranges[0].end());
    }
}

TEST_CASE("columns of one matrix are distinguished quickly [E-2]") {
    std::mt19937 random(8);
    const auto pick = [&](unsigned low, unsigned high) {
        return std::uniform_int_distribution<unsigned>(low, high)(random);
    };
    for (int round = 0; round < 2000; ++round) {
        // Pixels of 40 bytes in rows of 320, channels [begin, begin + count) of some of them.
        unsigned begin[2];
        unsigned count[2];
        StridedRange ranges[2];
        for (int i = 0; i < 2; ++i) {
            begin[i] = pick(0, 39);
            count[i] = pick(1, 40 - begin[i]);
            ranges[i] = StridedRange(320 * pick(0, 3) + 40 * pick(0, 3) + begin[i], count[i]);
            ranges[i].repeat(pick(2, 4), 40);
            ranges[i].repeat(pick(1, 4), 320);
        }
        const bool isApart = begin[0] + count[0] <= begin[1] || begin[1] + count[1] <= begin[0];
        if (isApart) {
            REQUIRE_FALSE(ranges[0].mayOverlap(ranges[1]));
            REQUIRE_FALSE(ranges[0].overlaps(ranges[1]));
        }
    }
}

TEST_SUITE_END();
