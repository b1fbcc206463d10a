// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/tlb.h"

#include <doctest/doctest.h>

using vnpu::hw::Tlb;

TEST_SUITE_BEGIN("hw_model/blocks/tlb");

TEST_CASE("a page is found by each of its addresses and only in its context [E-1]") {
    Tlb tlb(4);
    tlb.insert(2, 0x5678, 0xABC000, true, false);
    const Tlb::Entry* const entry = tlb.find(2, 0x5FFF);
    REQUIRE(entry != nullptr);
    CHECK(entry->busBase == 0xABC000);
    CHECK(entry->isWritable);
    CHECK(tlb.find(2, 0x6000) == nullptr);
    CHECK(tlb.find(3, 0x5678) == nullptr);
}

TEST_CASE("one large entry covers 64 KiB [E-1]") {
    Tlb tlb(4);
    tlb.insert(1, 0x20000, 0x100000, false, true);
    CHECK(tlb.find(1, 0x2FFFF) != nullptr);
    CHECK(tlb.find(1, 0x30000) == nullptr);
    CHECK(tlb.find(1, 0x1FFFF) == nullptr);
}

TEST_CASE("the entry that was not used since the hand passed it is evicted first [E-4]") {
    Tlb tlb(3);
    tlb.insert(1, 0x1000, 0, true, false);
    tlb.insert(1, 0x2000, 0, true, false);
    tlb.insert(1, 0x3000, 0, true, false);
    // All entries are marked: the hand clears the marks and returns to the first entry.
    tlb.insert(1, 0x4000, 0, true, false);
    CHECK(tlb.find(1, 0x1000) == nullptr);
    // 0x2000 is next, but was used again; 0x3000 was not.
    REQUIRE(tlb.find(1, 0x2000) != nullptr);
    tlb.insert(1, 0x5000, 0, true, false);
    CHECK(tlb.find(1, 0x3000) == nullptr);
    CHECK(tlb.find(1, 0x2000) != nullptr);
    CHECK(tlb.find(1, 0x4000) != nullptr);
}

TEST_CASE("drops one context or all [E-1]") {
    Tlb tlb(8);
    tlb.insert(1, 0x1000, 0, true, false);
    tlb.insert(2, 0x1000, 0, true, true);
    tlb.drop(1);
    CHECK(tlb.find(1, 0x1000) == nullptr);
    CHECK(tlb.find(2, 0x1000) != nullptr);
    tlb.dropAll();
    CHECK(tlb.find(2, 0x1000) == nullptr);
}

TEST_CASE("many pages in a small buffer stay consistent [E-1]") {
    Tlb tlb(16);
    for (std::uint64_t page = 0; page < 1000; ++page) {
        tlb.insert(1, page << 12, page, true, false);
        const Tlb::Entry* const entry = tlb.find(1, page << 12);
        REQUIRE(entry != nullptr);
        CHECK(entry->busBase == page);
    }
    int known = 0;
    for (std::uint64_t page = 0; page < 1000; ++page) {
        known += tlb.find(1, page << 12) != nullptr ? 1 : 0;
    }
    CHECK(known == 16);
}

TEST_SUITE_END();
