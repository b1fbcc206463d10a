// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/byte_set.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

namespace vnpu::driver {
namespace {

std::string text(const std::vector<Span64>& spans) {
    std::string out;
    for (const Span64& span : spans) {
        out += std::to_string(span.begin) + "-" + std::to_string(span.end) + " ";
    }
    return out;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/ir/byte_set");

TEST_CASE("spans are the added bytes without the removed ones, across words") {
    ByteSet set(1000);
    set.add(10, 200);
    set.remove(63, 65);
    set.add(300, 301);
    CHECK(set.count() == 190 - 2 + 1);
    CHECK(text(set.spans(8)) == "10-63 65-200 300-301 ");
}

TEST_CASE("a part is counted by the byte, across words and up to the limit") {
    ByteSet set(300);
    set.add(10, 200);
    set.remove(63, 65);
    CHECK(set.count(0, 10) == 0);
    CHECK(set.count(9, 12) == 2);
    CHECK(set.count(60, 70) == 8);
    CHECK(set.count(64, 192) == 127);
    CHECK(set.count(0, 1000) == set.count());
    CHECK(set.count(20, 20) == 0);
}

TEST_CASE("whole words are joined, and the limit is kept") {
    ByteSet set(130);
    set.add(0, 1000);
    CHECK(set.count() == 130);
    CHECK(text(set.spans(8)) == "0-130 ");
    set.remove(64, 128);
    CHECK(text(set.spans(8)) == "0-64 128-130 ");
}

TEST_CASE("too many spans are joined across the smallest gaps") {
    ByteSet set(100);
    set.add(0, 1);
    set.add(11, 12);  // gap 10
    set.add(15, 16);  // gap 3
    set.add(36, 37);  // gap 20
    set.add(40, 41);  // gap 3
    CHECK(text(set.spans(5)) == "0-1 11-12 15-16 36-37 40-41 ");
    CHECK(text(set.spans(4)) == "0-1 11-12 15-16 36-41 ");
    CHECK(text(set.spans(3)) == "0-1 11-16 36-41 ");
    CHECK(text(set.spans(2)) == "0-16 36-41 ");
    CHECK(text(set.spans(1)) == "0-41 ");
    CHECK(ByteSet(100).spans(1).empty());
}

TEST_CASE("a union returns whether it added a byte") {
    ByteSet set(100);
    set.add(10, 20);
    ByteSet other(100);
    other.add(12, 18);
    CHECK_FALSE(set.unite(other));
    other.add(18, 30);
    CHECK(set.unite(other));
    CHECK(text(set.spans(8)) == "10-30 ");
    CHECK(set.count() == 20);
}

TEST_CASE("agrees with a set of single bytes under random operations") {
    std::mt19937 random(7);
    constexpr std::uint32_t kLimit = 517;
    ByteSet set(kLimit);
    std::vector<bool> naive(kLimit, false);
    for (int step = 0; step < 2000; ++step) {
        const std::uint64_t begin = random() % kLimit;
        const std::uint64_t end = begin + random() % 100;
        const bool isAdded = random() % 2 == 0;
        isAdded ? set.add(begin, end) : set.remove(begin, end);
        for (std::uint64_t i = begin; i < end && i < kLimit; ++i) {
            naive[i] = isAdded;
        }
        std::vector<bool> spanned(kLimit, false);
        std::uint64_t count = 0;
        for (const Span64& span : set.spans(kLimit)) {
            for (std::uint64_t i = span.begin; i < span.end; ++i) {
                spanned[i] = true;
                ++count;
            }
        }
        REQUIRE(spanned == naive);
        REQUIRE(count == set.count());
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver
