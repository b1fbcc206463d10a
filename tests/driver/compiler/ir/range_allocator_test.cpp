// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/range_allocator.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace vnpu::driver {

TEST_SUITE_BEGIN("driver/compiler/ir/range_allocator");

TEST_CASE("ranges with disjoint lifetimes share memory") {
    const std::vector<LiveRange> ranges{{100, 0, 1}, {100, 2, 3}, {50, 4, 4}};
    const RangePlacement placement = placeRanges(ranges, 16);
    CHECK(placement.offsets == std::vector<std::uint64_t>{0, 0, 0});
    CHECK(placement.totalBytes == 100);
}

TEST_CASE("ranges that are live in the same step lie apart, aligned") {
    const std::vector<LiveRange> ranges{{100, 0, 2}, {60, 2, 3}};
    const RangePlacement placement = placeRanges(ranges, 64);
    CHECK(placement.offsets[0] == 0);
    CHECK(placement.offsets[1] == 128);
    CHECK(placement.totalBytes == 188);
}

TEST_CASE("a small range fits into the gap between two large ones") {
    const std::vector<LiveRange> ranges{{128, 0, 1}, {256, 0, 4}, {128, 3, 4}, {64, 2, 2}};
    const RangePlacement placement = placeRanges(ranges, 64);
    CHECK(placement.offsets[1] == 0);
    CHECK(placement.offsets[0] == 256);
    CHECK(placement.offsets[2] == 256);
    CHECK(placement.offsets[3] == 256);
    CHECK(placement.totalBytes == 384);
}

TEST_CASE("random ranges never overlap while both live") {
    std::minstd_rand random(3);
    for (int round = 0; round < 30; ++round) {
        std::vector<LiveRange> ranges;
        for (int i = 0; i < 40; ++i) {
            const auto first = static_cast<std::uint32_t>(random() % 30);
            ranges.push_back(
                    {1 + random() % 500, first, first + static_cast<std::uint32_t>(random() % 6)});
        }
        const RangePlacement placement = placeRanges(ranges, 32);
        for (std::size_t a = 0; a < ranges.size(); ++a) {
            CHECK(placement.offsets[a] % 32 == 0);
            CHECK(placement.offsets[a] + ranges[a].sizeBytes <= placement.totalBytes);
            for (std::size_t b = 0; b < a; ++b) {
                const bool meet =
                        ranges[a].first <= ranges[b].last && ranges[b].first <= ranges[a].last;
                const bool overlap =
                        placement.offsets[a] < placement.offsets[b] + ranges[b].sizeBytes &&
                        placement.offsets[b] < placement.offsets[a] + ranges[a].sizeBytes;
                CHECK(!(meet && overlap));
            }
        }
    }
}

TEST_CASE("free spans are the gaps between taken ones, which may overlap") {
    const auto free = freeSpans({{30, 50}, {10, 20}, {40, 60}}, 100);
    REQUIRE(free.size() == 3);
    CHECK(free[0].begin == 0);
    CHECK(free[0].end == 10);
    CHECK(free[1].begin == 20);
    CHECK(free[1].end == 30);
    CHECK(free[2].begin == 60);
    CHECK(free[2].end == 100);
    CHECK(freeSpans({{0, 100}}, 100).empty());
}

TEST_CASE("a taken range leaves the parts of its span on both sides") {
    using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    const auto left = [](std::uint64_t begin, std::uint64_t end) {
        std::vector<Span64> free{{10, 50}, {70, 200}};
        takeSpan(free, begin, end);
        Ranges ranges;
        for (const Span64& span : free) {
            ranges.emplace_back(span.begin, span.end);
        }
        return ranges;
    };
    CHECK(left(80, 90) == Ranges{{10, 50}, {70, 80}, {90, 200}});
    CHECK(left(10, 20) == Ranges{{20, 50}, {70, 200}});
    CHECK(left(40, 50) == Ranges{{10, 40}, {70, 200}});
    CHECK(left(10, 50) == Ranges{{70, 200}});
    CHECK(left(70, 200) == Ranges{{10, 50}});
}

TEST_CASE("a place is found from either side, aligned and inside one span") {
    const std::vector<Span64> free{{10, 50}, {70, 200}};
    CHECK(findPlace(free, 32, 16, Side::kLow) == std::optional<std::uint64_t>(16));
    CHECK(findPlace(free, 40, 16, Side::kLow) == std::optional<std::uint64_t>(80));
    CHECK(findPlace(free, 32, 16, Side::kHigh) == std::optional<std::uint64_t>(160));
    CHECK(!findPlace(free, 140, 1, Side::kLow).has_value());
}

TEST_SUITE_END();

}  // namespace vnpu::driver
