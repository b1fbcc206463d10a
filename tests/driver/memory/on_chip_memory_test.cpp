// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/on_chip_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/driver/support/fake_device_port.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;

TEST_SUITE_BEGIN("driver/memory/on_chip_memory");

namespace {

constexpr std::uint64_t kBase = FakeMemory::kResidentBase;

/// A device with 16 KiB of resident memory.
struct Chip {
    explicit Chip(std::uint32_t kib = 16) {
        if (kib != 0) {
            port.addResidentMemory(kib);
        }
        memory.emplace(port, DeviceInfo::read(port).value(), counters);
    }

    FakeDevicePort port;
    LiveCounters counters;
    std::optional<OnChipMemory> memory;
};

bool isZero(std::span<const std::byte> bytes) {
    return std::all_of(bytes.begin(), bytes.end(),
                       [](std::byte value) { return value == std::byte{0}; });
}

}  // namespace

TEST_CASE("whole pages of the window, zeroed [MD-2]") {
    Chip chip;
    REQUIRE_EQ(chip.memory->sizeBytes(), 4 * kPage);
    const auto one = chip.memory->allocate(1);
    const auto two = chip.memory->allocate(kPage + 1);
    REQUIRE(one.has_value());
    REQUIRE(two.has_value());
    CHECK_EQ(one->busAddress(), kBase);
    CHECK_EQ(one->sizeBytes(), kPage);
    CHECK_EQ(two->busAddress(), kBase + kPage);
    CHECK_EQ(two->sizeBytes(), 2 * kPage);
    CHECK(isZero(one->bytes()));
    CHECK(isZero(two->bytes()));
    CHECK_EQ(chip.counters.onChipBytes.load(), 3 * kPage);
    std::byte* const there = chip.port.withMemory(
            [](FakeMemory& memory) { return memory.atBus(kBase + kPage, 2 * kPage); });
    CHECK_EQ(two->bytes().data(), there);
    CHECK_EQ(there[2 * kPage], std::byte{0xAA});  // the last page has no owner yet
}

TEST_CASE("freed pages are reused without their old bytes [MD-3]") {
    Chip chip;
    {
        const auto all = chip.memory->allocate(4 * kPage);
        REQUIRE(all.has_value());
        std::memset(all->bytes().data(), 0x55, 4 * kPage);
        CHECK_FALSE(chip.memory->allocate(1).has_value());
    }
    CHECK_EQ(chip.counters.onChipBytes.load(), 0);
    const auto again = chip.memory->allocate(4 * kPage);
    REQUIRE(again.has_value());
    CHECK(isZero(again->bytes()));
}

TEST_CASE("an allocation needs contiguous pages [MD-6]") {
    Chip chip;
    std::vector<OnChipAllocation> pages;
    pages.reserve(4);
    for (int i = 0; i < 4; ++i) {
        pages.push_back(chip.memory->allocate(kPage).value());
    }
    std::vector<OnChipAllocation> kept;
    kept.push_back(std::move(pages[1]));
    pages.clear();  // pages 0, 2 and 3 are free
    CHECK_FALSE(chip.memory->allocate(3 * kPage).has_value());
    const auto two = chip.memory->allocate(2 * kPage);
    REQUIRE(two.has_value());
    CHECK_EQ(two->busAddress(), kBase + 2 * kPage);
    CHECK_EQ(chip.counters.onChipBytes.load(), 3 * kPage);
}

TEST_CASE("impossible sizes are refused [MD-6]") {
    Chip chip;
    CHECK_FALSE(chip.memory->allocate(0).has_value());
    CHECK_FALSE(chip.memory->allocate(4 * kPage + 1).has_value());
    CHECK_FALSE(chip.memory->allocate(~0ULL).has_value());
    CHECK_FALSE(chip.memory->allocate(~0ULL - kPage).has_value());
    CHECK_EQ(chip.counters.onChipBytes.load(), 0);
}

TEST_CASE("constants fill no more than their share [MD-6]") {
    Chip chip;
    CHECK_FALSE(chip.memory->takesConstants());
    CHECK_FALSE(chip.memory->allocateForConstants(kPage).has_value());
    OnChipMemory shared(chip.port, DeviceInfo::read(chip.port).value(), chip.counters, 0.5);
    REQUIRE(shared.takesConstants());
    CHECK_FALSE(shared.allocateForConstants(3 * kPage).has_value());
    {
        const auto two = shared.allocateForConstants(kPage + 1);
        REQUIRE(two.has_value());
        CHECK_EQ(chip.counters.onChipConstantBytes.load(), 2 * kPage);
        CHECK_FALSE(shared.allocateForConstants(1).has_value());
        const auto rest = shared.allocate(2 * kPage);  // a buffer may have what is free
        CHECK(rest.has_value());
        CHECK_EQ(chip.counters.onChipBytes.load(), 4 * kPage);
    }
    CHECK_EQ(chip.counters.onChipConstantBytes.load(), 0);
    CHECK(shared.allocateForConstants(2 * kPage).has_value());
}

TEST_CASE("a large page of constants is aligned to its size") {
    Chip chip(3 * 64);
    OnChipMemory memory(chip.port, DeviceInfo::read(chip.port).value(), chip.counters, 1.0);
    const auto page = memory.allocateForConstants(kPage);
    const auto first = memory.allocateForConstants(16 * kPage);
    const auto second = memory.allocateForConstants(16 * kPage);
    REQUIRE(page.has_value());
    REQUIRE(first.has_value());
    REQUIRE(second.has_value());
    CHECK_EQ(first->busAddress(), kBase + 16 * kPage);
    CHECK_EQ(second->busAddress(), kBase + 32 * kPage);
    CHECK_FALSE(memory.allocateForConstants(16 * kPage).has_value());  // only unaligned ones
    CHECK(memory.allocateForConstants(15 * kPage).has_value());
}

TEST_CASE(
        "there is no resident memory on a device without it, or where the port cannot reach it "
        "[MD-2]") {
    Chip without(0);
    CHECK_EQ(without.memory->sizeBytes(), 0);
    CHECK_FALSE(without.memory->allocate(1).has_value());

    Chip chip;
    DeviceInfo info = DeviceInfo::read(chip.port).value();
    info.residentBytes += kPage;  // more than answers
    OnChipMemory claimed(chip.port, info, chip.counters);
    CHECK_EQ(claimed.sizeBytes(), 0);
    CHECK_FALSE(claimed.allocate(1).has_value());
}

TEST_CASE("threads that take and give back never share a page [MD-7]") {
    Chip chip;
    std::atomic<int> shared{0};
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            const auto mark = static_cast<std::byte>(thread + 1);
            for (unsigned i = 0; i < 200; ++i) {
                const auto mine = chip.memory->allocate(kPage * (1 + i % 2));
                if (!mine) {
                    continue;
                }
                const auto bytes = mine->bytes();
                shared += isZero(bytes) ? 0 : 1;
                std::fill(bytes.begin(), bytes.end(), mark);
                std::this_thread::yield();
                shared += std::all_of(bytes.begin(), bytes.end(),
                                      [&](std::byte value) { return value == mark; })
                                  ? 0
                                  : 1;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK_EQ(shared.load(), 0);
    CHECK_EQ(chip.counters.onChipBytes.load(), 0);
}

TEST_SUITE_END();
