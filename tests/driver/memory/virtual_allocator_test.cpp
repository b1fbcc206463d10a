// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/virtual_allocator.h"

#include <doctest/doctest.h>

using vnpu::driver::VirtualAllocator;

TEST_SUITE_BEGIN("driver/memory/virtual_allocator");

TEST_CASE("null and the lowest megabyte are never handed out [E-1]") {
    VirtualAllocator allocator;

    const auto address = allocator.allocate(4096, 4096, 0);

    REQUIRE(address.has_value());
    CHECK_GE(*address, 1U << 20);
}

TEST_CASE("an unmapped page lies between neighbors [E-1]") {
    VirtualAllocator allocator;
    const auto first = allocator.allocate(8192, 4096, 0);
    const auto second = allocator.allocate(4096, 4096, 0);

    REQUIRE(first.has_value());
    REQUIRE(second.has_value());
    CHECK_GE(*second, *first + 8192 + 4096);
}

TEST_CASE("alignment and skew are kept [E-1]") {
    VirtualAllocator allocator;
    const auto first = allocator.allocate(4096, 4096, 0);
    const auto second = allocator.allocate(131072, 65536, 12288);

    REQUIRE(first.has_value());
    REQUIRE(second.has_value());
    CHECK_EQ(*second % 65536, 12288);
}

TEST_CASE("freed ranges are merged and used again [E-1]") {
    VirtualAllocator allocator;
    const auto first = allocator.allocate(4096, 4096, 0);
    const auto second = allocator.allocate(4096, 4096, 0);
    const auto third = allocator.allocate(4096, 4096, 0);
    REQUIRE(third.has_value());

    allocator.free(*first);
    allocator.free(*second);

    CHECK_EQ(allocator.allocate(12288, 4096, 0), first);
    CHECK_EQ(allocator.sizeOf(*first), 12288);
}

TEST_CASE("more than the address space is refused [E-1]") {
    VirtualAllocator allocator;

    CHECK_FALSE(allocator.allocate(1ULL << 39, 4096, 0).has_value());
    CHECK(allocator.allocate(1ULL << 38, 4096, 0).has_value());
    CHECK_FALSE(allocator.allocate(1ULL << 38, 4096, 0).has_value());
}

TEST_SUITE_END();
