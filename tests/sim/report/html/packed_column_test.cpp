// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/packed_column.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "sim/base/random.h"
#include "tests/sim/report/html/unpacked.h"

namespace {

using vnpu::sim::PackedColumn;
using vnpu::test::inflated;
using vnpu::test::integersOf;
using vnpu::test::numbersOf;
using namespace std::string_literals;

TEST_SUITE_BEGIN("sim/report/html/packed_column");

TEST_CASE("plain integers take groups of seven bits, lowest first") {
    PackedColumn column;
    for (const std::uint64_t value : {0ULL, 127ULL, 128ULL, 300ULL}) {
        column.add(value);
    }
    const auto json = column.json();
    CHECK(json["coding"] == "plain");
    CHECK(json["count"] == 4);
    // 300 = 2 * 128 + 44; the highest bit of a byte says that more follow.
    CHECK(inflated(json["data"].get<std::string>()) == "\x00\x7F\x80\x01\xAC\x02"s);
}

TEST_CASE("differences keep their sign in the lowest bit") {
    PackedColumn column(PackedColumn::Coding::kDelta);
    for (const std::uint64_t value : {5ULL, 3ULL, 3ULL, 67ULL}) {
        column.add(value);
    }
    // +5, -2, 0, +64 become 10, 3, 0, 128.
    CHECK(inflated(column.json()["data"].get<std::string>()) == "\x0A\x03\x00\x80\x01"s);
}

TEST_CASE("what was packed is unpacked, up to 2^53") {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
    for (const auto coding : {PackedColumn::Coding::kPlain, PackedColumn::Coding::kDelta}) {
        vnpu::sim::Random random(7);
        PackedColumn column(coding);
        std::vector<std::uint64_t> values = {0, kMost - 1, 0, kMost - 1};
        for (int i = 0; i < 10'000; ++i) {
            values.push_back(random.next() % (kMost >> (i % 53)));
        }
        for (const std::uint64_t value : values) {
            column.add(value);
        }
        CHECK(integersOf(column.json()) == values);
    }
    CHECK(integersOf(PackedColumn().json()).empty());
}

TEST_CASE("numbers are kept to the bit, a missing one as NaN") {
    const std::vector<double> values = {0.1, -1e300, 0.0, std::numeric_limits<double>::infinity(),
                                        std::nan("")};
    const std::vector<double> unpacked = numbersOf(vnpu::sim::packedNumbers(values));
    REQUIRE(unpacked.size() == 5);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(unpacked[i] == values[i]);
    }
    CHECK(std::isnan(unpacked[4]));
}

TEST_CASE("more bytes than one block of Base64 stay whole") {
    std::string bytes;
    vnpu::sim::Random random(3);
    for (int i = 0; i < 5'000'000; ++i) {  // they can't be compressed, and a block has 3 MiB
        bytes += static_cast<char>(random.next() & 0xFF);
    }
    CHECK(inflated(vnpu::sim::compressed(bytes)) == bytes);
}

TEST_SUITE_END();

}  // namespace
