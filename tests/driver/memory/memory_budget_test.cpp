// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/memory_budget.h"

#include <doctest/doctest.h>

#include <cstdint>

using namespace vnpu::driver;

namespace {

constexpr std::uint64_t kPage = 4096;
/// A ring of sixteen slots and records is a little over one page, and a table of each level leads
/// to the lowest addresses.
constexpr std::uint64_t kLeast = 5 * kPage;

bool fits(std::uint64_t budget, std::uint64_t taken, std::uint64_t mapped) {
    const auto checked = MemoryBudget(budget).check(taken, mapped);
    CHECK((checked || checked.error().status == ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT));
    return checked.has_value();
}

}  // namespace

TEST_SUITE_BEGIN("driver/memory/memory_budget");

TEST_CASE("a context, its ring and its tables are needed in any case [Q-6]") {
    CHECK(fits(kLeast, 0, 0));
    CHECK_FALSE(fits(kLeast - 1, 0, 0));
    CHECK_FALSE(fits(0, 0, 0));
}

TEST_CASE("what is taken comes beside them [Q-6]") {
    CHECK(fits(kLeast + 10 * kPage, 10 * kPage, 10 * kPage));
    CHECK_FALSE(fits(kLeast + 10 * kPage, 11 * kPage, 11 * kPage));
}

TEST_CASE("each two MiB that are mapped take a table [Q-6]") {
    constexpr std::uint64_t kMib = 1U << 20;
    // The lowest MiB of addresses is never mapped.
    CHECK(fits(kLeast, 0, kMib));
    CHECK_FALSE(fits(kLeast, 0, kMib + kPage));
    CHECK(fits(kLeast + kPage, 0, 3 * kMib));
    CHECK_FALSE(fits(kLeast + kPage, 0, 3 * kMib + kPage));
    // Two GiB take 1024 tables, and two above them instead of one.
    CHECK(fits(kLeast + 1024 * kPage, 0, 2047 * kMib));
    CHECK_FALSE(fits(kLeast + 1023 * kPage, 0, 2047 * kMib));
}

TEST_CASE("sizes beyond all memory and addresses are refused, without overflow [Q-6]") {
    CHECK_FALSE(fits(UINT64_MAX, 0, UINT64_MAX));
    CHECK_FALSE(fits(UINT64_MAX, 0, std::uint64_t{1} << 39));
    CHECK_FALSE(fits(UINT64_MAX, UINT64_MAX, 0));
    CHECK_FALSE(fits(1U << 20, UINT64_MAX, 0));
}

TEST_SUITE_END();
