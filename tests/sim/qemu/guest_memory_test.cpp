// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/guest_memory.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <utility>
#include <vector>

#include "tests/sim/qemu/memory_file.h"

namespace {

using vnpu::sim::GuestMemory;
using vnpu::sim::GuestRegion;
using vnpu::test::createMemoryFile;
using vnpu::test::createRegion;

constexpr std::uint64_t kPage = 4096;

std::vector<GuestRegion> regions(GuestRegion first) {
    std::vector<GuestRegion> all;
    all.push_back(std::move(first));
    return all;
}

std::vector<GuestRegion> regions(GuestRegion first, GuestRegion second) {
    auto all = regions(std::move(first));
    all.push_back(std::move(second));
    return all;
}

bool canRead(const GuestMemory& memory, std::uint64_t address, std::uint64_t sizeBytes) {
    std::vector<std::byte> data(sizeBytes);
    return memory.read(address, data);
}

bool canWrite(const GuestMemory& memory, std::uint64_t address, std::uint64_t sizeBytes) {
    return memory.write(address, std::vector<std::byte>(sizeBytes, std::byte{9}));
}

}  // namespace

TEST_SUITE_BEGIN("sim/qemu/guest_memory");

TEST_CASE("bytes are those of the file, across regions [issue 28.5]") {
    for (const bool isSealed : {false, true}) {
        CAPTURE(isSealed);
        GuestMemory memory;
        GuestRegion upper = createRegion(0x3000, 2 * kPage, isSealed);
        upper.offset = kPage;
        upper.sizeBytes = kPage;
        const int upperFile = dup(upper.file.get());
        CHECK(memory.setRegions(
                            regions(createRegion(0x1000, 2 * kPage, isSealed), std::move(upper)))
                      .empty());
        std::array<std::byte, 8> data{};
        data.fill(std::byte{7});
        CHECK(memory.write(0x2ffc, data));
        std::array<std::byte, 8> back{};
        CHECK(memory.read(0x2ffc, back));
        CHECK(back == data);
        std::array<std::byte, 5> inFile{};
        CHECK(pread(upperFile, inFile.data(), 5, kPage) == 5);
        CHECK(inFile[3] == std::byte{7});
        CHECK(inFile[4] == std::byte{0});
        close(upperFile);
    }
}

TEST_CASE("there are no bytes outside of regions [issue 28.5]") {
    for (const bool isSealed : {false, true}) {
        CAPTURE(isSealed);
        GuestMemory memory;
        CHECK_FALSE(canRead(memory, 0, 1));
        memory.setRegions(regions(createRegion(0x1000, kPage, isSealed)));
        CHECK_FALSE(canRead(memory, 0xfff, 1));
        CHECK_FALSE(canRead(memory, 0xfff, 2));
        CHECK(canRead(memory, 0x1fff, 1));
        CHECK_FALSE(canRead(memory, 0x1fff, 2));
        CHECK_FALSE(canWrite(memory, 0x1fff, 2));
        CHECK_FALSE(canWrite(memory, ~0ULL, 1));
        CHECK_FALSE(canRead(memory, ~0ULL - 3, 8));
        memory.setRegions({});
        CHECK_FALSE(canRead(memory, 0x1000, 1));
        CHECK(memory.map(0x1000).empty());
    }
}

TEST_CASE("a region at the end of the address space ends there [issue 28.5]") {
    GuestMemory memory;
    GuestRegion last = createRegion(~0ULL - (kPage - 1), kPage, true);
    CHECK(memory.setRegions(regions(std::move(last), createRegion(0, kPage, true))).empty());
    CHECK(canRead(memory, ~0ULL - 3, 4));
    CHECK_FALSE(canRead(memory, ~0ULL - 3, 5));
}

TEST_CASE("memory is mapped where it cannot shrink [issue 28.5]") {
    GuestMemory memory;
    memory.setRegions(
            regions(createRegion(0x1000, kPage, true), createRegion(0x8000, kPage, false)));
    CHECK(memory.map(0x1000).size() == kPage);
    CHECK(memory.map(0x1ff0).size() == 16);
    CHECK(memory.map(0x8000).empty());
    CHECK(memory.map(0x2000).empty());
    memory.map(0x1004)[0] = std::byte{3};
    std::array<std::byte, 1> data{};
    CHECK(memory.read(0x1004, data));
    CHECK(data[0] == std::byte{3});
}

TEST_CASE(
        "access to a file that has become shorter fails and does not make it longer "
        "[issue 28.5]") {
    GuestMemory memory;
    GuestRegion region = createRegion(0x10000, 4 * kPage, false);
    const int file = dup(region.file.get());
    memory.setRegions(regions(std::move(region)));
    CHECK(canWrite(memory, 0x10000, 4 * kPage));
    CHECK(ftruncate(file, kPage) == 0);
    CHECK(canRead(memory, 0x10000, kPage));
    CHECK_FALSE(canRead(memory, 0x10000, kPage + 1));
    CHECK_FALSE(canWrite(memory, 0x10000 + kPage, 8));
    CHECK_FALSE(canWrite(memory, 0x10000 + kPage - 4, 8));
    CHECK(lseek(file, 0, SEEK_END) == static_cast<off_t>(kPage));
    close(file);
}

TEST_CASE("a region larger than its sealed file is not mapped [issue 28.5]") {
    GuestMemory memory;
    GuestRegion region = createRegion(0x10000, kPage, true);
    region.sizeBytes = 1ULL << 40;
    memory.setRegions(regions(std::move(region)));
    CHECK(memory.map(0x10000).empty());
    CHECK(canRead(memory, 0x10000, kPage));
    CHECK_FALSE(canRead(memory, 0x10000 + kPage, 1));
    CHECK_FALSE(canWrite(memory, 0x10000 + kPage, 1));
}

TEST_CASE("regions that cannot be are left out and named [issue 28.5]") {
    GuestMemory memory;
    const auto refusal = [&](GuestRegion region) {
        const std::string text =
                memory.setRegions(regions(std::move(region), createRegion(0x8000, kPage, true)));
        CHECK(memory.ranges().size() == (text.empty() ? 2 : 1));
        CHECK(canRead(memory, 0x8000, kPage));
        return text;
    };
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    CHECK(refusal({0x1000, kPage, 0, android::base::unique_fd(ends[0])}) ==
          "guest memory of 0x1000 bytes at 0x1000: its descriptor is not that of a file");
    close(ends[1]);
    CHECK(refusal({0x1000, kPage, 0, android::base::unique_fd()}) ==
          "guest memory of 0x1000 bytes at 0x1000: its descriptor is not that of a file");
    CHECK(refusal({0x1000, 0, 0, createMemoryFile(kPage, true)}) ==
          "guest memory of 0x0 bytes at 0x1000: its end is not an address");
    CHECK(refusal({0x1000, ~0ULL, 0, createMemoryFile(kPage, true)}) ==
          "guest memory of 0xffffffffffffffff bytes at 0x1000: its end is not an address");
    CHECK(refusal({0x1000, kPage, ~0ULL - 10, createMemoryFile(kPage, true)}) ==
          "guest memory of 0x1000 bytes at 0x1000: its offset is not that of a file");
    CHECK(refusal({0x1000, kPage, (1ULL << 63) - 8, createMemoryFile(kPage, true)}) ==
          "guest memory of 0x1000 bytes at 0x1000: its offset is not that of a file");
    CHECK(refusal({0x1000, kPage - 1, 1, createMemoryFile(kPage, true)}).empty());
}

TEST_SUITE_END();
