// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/memory_budget.h"

#include <doctest/doctest.h>

#include <cstdint>

using namespace vnpu::driver;

namespace {

constexpr std::uint64_t kPageBytes = 4096;
/// A ring of sixteen slots and records takes a little over one page, and the lowest addresses need
/// a table of each level.
constexpr std::uint64_t kLeastBudget = 5 * kPageBytes;

bool fits(std::uint64_t budget, std::uint64_t taken, std::uint64_t mapped) {
    const auto checked = MemoryBudget(budget).check(taken, mapped);
    CHECK((checked || checked.error().status == ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT));
    return checked.has_value();
}

}  // namespace

TEST_SUITE_BEGIN("driver/memory/memory_budget");

TEST_CASE("a context, its ring and its tables are needed in any case [Q-6]") {
    CHECK(fits(kLeastBudget, 0, 0));
    CHECK_FALSE(fits(kLeastBudget - 1, 0, 0));
    CHECK_FALSE(fits(0, 0, 0));
}

TEST_CASE("memory in use counts in addition [Q-6]") {
    CHECK(fits(kLeastBudget + 10 * kPageBytes, 10 * kPageBytes, 10 * kPageBytes));
    CHECK_FALSE(fits(kLeastBudget + 10 * kPageBytes, 11 * kPageBytes, 11 * kPageBytes));
}

TEST_CASE("every two MiB of mappings need a table [Q-6]") {
    constexpr std::uint64_t kMib = 1U << 20;
    // The lowest MiB of addresses is never mapped.
    CHECK(fits(kLeastBudget, 0, kMib));
    CHECK_FALSE(fits(kLeastBudget, 0, kMib + kPageBytes));
    CHECK(fits(kLeastBudget + kPageBytes, 0, 3 * kMib));
    CHECK_FALSE(fits(kLeastBudget + kPageBytes, 0, 3 * kMib + kPageBytes));
    // Two GiB take 1024 tables, and two above them instead of one.
    CHECK(fits(kLeastBudget + 1024 * kPageBytes, 0, 2047 * kMib));
    CHECK_FALSE(fits(kLeastBudget + 1023 * kPageBytes, 0, 2047 * kMib));
}

TEST_CASE("sizes beyond all memory and addresses are refused, without overflow [Q-6]") {
    CHECK_FALSE(fits(UINT64_MAX, 0, UINT64_MAX));
    CHECK_FALSE(fits(UINT64_MAX, 0, std::uint64_t{1} << 39));
    CHECK_FALSE(fits(UINT64_MAX, UINT64_MAX, 0));
    CHECK_FALSE(fits(1U << 20, UINT64_MAX, 0));
}

TEST_SUITE_END();
