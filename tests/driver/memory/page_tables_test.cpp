// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/page_tables.h"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "driver/api/driver_counters.h"
#include "tests/driver/support/fake_device_port.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;

TEST_SUITE_BEGIN("driver/memory/page_tables");

namespace {

constexpr std::uint32_t kContext = 5;

/// Page tables of one context and 1 MiB of memory to map, at a bus address `skewBytes` above a
/// multiple of 64 KiB.
struct Tables {
    explicit Tables(std::uint64_t skewBytes = 0) {
        buffer = *port.allocateDma(1U << 20);
        const std::uint64_t start = (buffer.busAddress + 0xFFFF) / 0x10000 * 0x10000;
        bus = start + skewBytes;
        host = buffer.host + (bus - buffer.busAddress);
        auto created = PageTables::create(port, counters);
        REQUIRE(created.has_value());
        tables = std::move(*created);
        port.withMemory(
                [&](FakeMemory& memory) { memory.setRoot(kContext, tables->rootBusAddress()); });
    }
    ~Tables() {
        tables.reset();
        CHECK_EQ(counters.dmaBytes.load(), 0);
    }

    std::byte* translate(std::uint64_t address, bool isWrite) {
        return port.withMemory([&](FakeMemory& memory) {
            memory.invalidate(kContext);
            return memory.translate(kContext, address, isWrite);
        });
    }
    int largePageHits() {
        return port.withMemory([](FakeMemory& memory) { return memory.largePageHits(); });
    }
    int badLargePages() {
        return port.withMemory([](FakeMemory& memory) { return memory.badLargePages(); });
    }

    FakeDevicePort port;
    LiveCounters counters;
    DmaBuffer buffer;
    std::uint64_t bus = 0;
    std::byte* host = nullptr;
    std::unique_ptr<PageTables> tables;
};

}  // namespace

TEST_CASE("a walk of the tables finds each mapped page and no other [E-1]") {
    Tables t;
    REQUIRE(t.tables->map(0x200000, t.bus, 0x3000, true).has_value());

    CHECK_EQ(t.translate(0x200000, true), t.host);
    CHECK_EQ(t.translate(0x202FFF, true), t.host + 0x2FFF);
    CHECK_EQ(t.translate(0x203000, false), nullptr);
    CHECK_EQ(t.translate(0x1FFFFF, false), nullptr);
}

TEST_CASE("pages mapped for reading cannot be written [E-1]") {
    Tables t;
    REQUIRE(t.tables->map(0x200000, t.bus, 0x1000, false).has_value());

    CHECK_EQ(t.translate(0x200010, false), t.host + 0x10);
    CHECK_EQ(t.translate(0x200010, true), nullptr);
}

TEST_CASE("unmapped pages fault and their neighbors do not [E-1]") {
    Tables t;
    REQUIRE(t.tables->map(0x200000, t.bus, 0x3000, true).has_value());

    CHECK(t.tables->unmap(0x201000, 0x1000).empty());

    CHECK_EQ(t.translate(0x200000, false), t.host);
    CHECK_EQ(t.translate(0x201000, false), nullptr);
    CHECK_EQ(t.translate(0x202000, false), t.host + 0x2000);
}

TEST_CASE("tables without entries are freed when the caller releases them [Q-6]") {
    Tables t;
    const std::uint64_t alone = t.counters.dmaBytes;
    REQUIRE(t.tables->map(0x200000, t.bus, 0x2000, true).has_value());
    REQUIRE(t.tables->map(0x400000, t.bus, 0x1000, true).has_value());
    const std::uint64_t tableBytes = 4096;
    CHECK_EQ(t.counters.dmaBytes, alone + 3 * tableBytes);  // one of level 1, two of level 2

    CHECK(t.tables->unmap(0x200000, 0x1000).empty());
    {
        const auto emptied = t.tables->unmap(0x201000, 0x1000);
        CHECK_EQ(emptied.size(), 1);
        CHECK_EQ(t.counters.dmaBytes, alone + 3 * tableBytes);
    }
    CHECK_EQ(t.counters.dmaBytes, alone + 2 * tableBytes);
    CHECK_EQ(t.translate(0x400000, false), t.host);
    CHECK_EQ(t.tables->unmap(0x400000, 0x1000).size(), 2);
    CHECK_EQ(t.counters.dmaBytes, alone);

    REQUIRE(t.tables->map(0x200000, t.bus, 0x2000, true).has_value());
    CHECK_EQ(t.translate(0x201000, false), t.host + 0x1000);
}

TEST_CASE("all tables of a range that failed for lack of memory can be freed [Q-6]") {
    Tables t;
    const std::uint64_t alone = t.counters.dmaBytes;
    std::vector<DmaBuffer> hogs;
    for (auto hog = t.port.allocateDma(4096); hog; hog = t.port.allocateDma(4096)) {
        hogs.push_back(*hog);
    }
    t.port.freeDma(hogs.back());
    hogs.pop_back();
    CHECK_FALSE(t.tables->map(0x200000, t.bus, 0x1000, true).has_value());  // takes two tables
    CHECK_EQ(t.counters.dmaBytes, alone + 4096);
    CHECK_EQ(t.tables->unmap(0x200000, 0x1000).size(), 1);
    CHECK_EQ(t.counters.dmaBytes, alone);
    for (const DmaBuffer& hog : hogs) {
        t.port.freeDma(hog);
    }
}

TEST_CASE("a range across tables of all levels is mapped whole [E-1]") {
    Tables t;
    const std::uint64_t address = (1ULL << 30) - 0x2000;  // the root's first entry ends at 1 GiB
    REQUIRE(t.tables->map(address, t.bus, 0x4000, true).has_value());

    for (std::uint64_t offset = 0; offset < 0x4000; offset += 0x1000) {
        CHECK_EQ(t.translate(address + offset, false), t.host + offset);
    }
}

TEST_CASE("64 KiB with aligned addresses become a large page [E-1]") {
    Tables t;
    REQUIRE(t.tables->map(0x210000, t.bus, 0x10000, true).has_value());

    CHECK_EQ(t.translate(0x21F000, false), t.host + 0xF000);
    CHECK_EQ(t.largePageHits(), 1);
    CHECK_EQ(t.badLargePages(), 0);
}

TEST_CASE("memory before and after the aligned 64 KiB stays in small pages [E-1]") {
    Tables t(0xF000);
    REQUIRE(t.tables->map(0x20F000, t.bus, 0x12000, true).has_value());

    CHECK_EQ(t.translate(0x20F000, false), t.host);
    CHECK_EQ(t.translate(0x220000, false), t.host + 0x11000);
    CHECK_EQ(t.largePageHits(), 0);
    CHECK_EQ(t.translate(0x210000, false), t.host + 0x1000);
    CHECK_EQ(t.largePageHits(), 1);
    CHECK_EQ(t.badLargePages(), 0);
}

TEST_CASE("64 KiB with unaligned addresses stay in small pages [E-1]") {
    Tables t(0x1000);
    REQUIRE(t.tables->map(0x210000, t.bus, 0x10000, true).has_value());

    CHECK_EQ(t.translate(0x215000, false), t.host + 0x5000);
    CHECK_EQ(t.largePageHits(), 0);
}

TEST_SUITE_END();
