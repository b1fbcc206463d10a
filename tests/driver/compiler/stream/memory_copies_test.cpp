// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/memory_copies.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace vnpu::driver::test {
namespace {

const std::vector<Region> kRegions = {{RegionKind::kConstantPool, 0, 1U << 20, false},
                                      {RegionKind::kScratch, 0, 1U << 20, true},
                                      {RegionKind::kInput, 0, 1U << 20, false},
                                      {RegionKind::kOutput, 0, 1U << 20, true}};
constexpr std::uint16_t kConstants = 0;
constexpr std::uint16_t kScratch = 1;
constexpr std::uint16_t kInput = 2;

hw::DmaTransfer transfer(const hw::MemoryRef& from, const hw::MemoryRef& to, std::uint32_t bytes) {
    hw::DmaTransfer work{};
    work.source = from;
    work.destination = to;
    work.rowBytes = bytes;
    std::fill(std::begin(work.counts), std::end(work.counts), 1U);
    return work;
}

hw::MemoryRef inMemory(std::uint16_t region, std::uint64_t offset) {
    return {region, 0, 0, offset};
}

hw::MemoryRef inSram(std::uint64_t offset) {
    return {hw::kSpaceSram, 0, 0, offset};
}

/// Which of two loads into SRAM can still be repeated after `work`: load 0 of constants to 1000 ..
/// 1100, load 1 of scratch memory 500 .. 600 to 2000 .. 2100.
std::string leftBehind(const Payload& work) {
    MemoryCopies copies(kRegions);
    copies.step(0, transfer(inMemory(kConstants, 0), inSram(1000), 100));
    copies.step(1, transfer(inMemory(kScratch, 500), inSram(2000), 100));
    copies.step(2, work);
    std::string left;
    for (const MemoryCopy& copy : copies.all()) {
        left += std::to_string(copy.command);
    }
    return left;
}

/// Whether a transfer of two rows of 50 bytes counts with these distances in memory and in SRAM.
bool countsRows(std::uint32_t sourceStride, std::uint32_t destinationStride) {
    hw::DmaTransfer work = transfer(inMemory(kConstants, 0), inSram(0), 50);
    work.counts[1] = 2;
    work.sourceStrides[1] = sourceStride;
    work.destinationStrides[1] = destinationStride;
    MemoryCopies copies(kRegions);
    copies.step(0, work);
    return !copies.all().empty();
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/stream/memory_copies");

TEST_CASE("a load can be repeated until its bytes or their source are written") {
    CHECK(leftBehind(transfer(inMemory(kConstants, 0), inSram(0), 1000)) == "012");
    CHECK(leftBehind(transfer(inMemory(kConstants, 0), inSram(0), 1001)) == "12");
    CHECK(leftBehind(transfer(inMemory(kConstants, 0), inSram(1099), 900)) == "12");
    CHECK(leftBehind(transfer(inSram(0), inMemory(kScratch, 400), 100)) == "01");
    CHECK(leftBehind(transfer(inSram(0), inMemory(kScratch, 400), 101)) == "0");
    CHECK(leftBehind(transfer(inSram(0), inMemory(kScratch, 600), 100)) == "01");
    CHECK(leftBehind(transfer(inSram(0), inMemory(3, 500), 100)) == "01");
}

TEST_CASE("a coded load reads its coded bytes and can be repeated") {
    hw::DmaTransfer coded = transfer(inMemory(kScratch, 500), inSram(3000), 400);
    coded.codedBytes = 60;
    CHECK(leftBehind(coded) == "012");
    MemoryCopies copies(kRegions);
    copies.step(0, coded);
    CHECK(copies.all()[0].bytes.begin == 3000);
    CHECK(copies.all()[0].bytes.end == 3400);
    copies.step(1, transfer(inSram(0), inMemory(kScratch, 560), 100));
    CHECK(copies.all().size() == 1);
    copies.step(2, transfer(inSram(0), inMemory(kScratch, 559), 1));
    CHECK(copies.all().empty());
}

TEST_CASE("a load of memory that the client may write cannot be repeated") {
    CHECK(leftBehind(transfer(inMemory(kInput, 0), inSram(0), 100)) == "01");
    CHECK(leftBehind(transfer(inSram(1000), inSram(0), 100)) == "01");
}

TEST_CASE("an operator of the DSP may write any writable region") {
    CHECK(leftBehind(hw::DspOperator{}) == "0");
}

TEST_CASE("at a step of the controller control may come from another place") {
    CHECK(leftBehind(ControlCommand{.kind = ControlNode::Kind::kLabel, .label = 1}) == "");
}

TEST_CASE("rows may lie apart in memory, not in SRAM") {
    CHECK(countsRows(50, 50));
    CHECK(countsRows(80, 50));
    CHECK_FALSE(countsRows(50, 80));
    CHECK_FALSE(countsRows(50, 40));
}

TEST_CASE("reports the part of a command's reads that memory still holds") {
    MemoryCopies copies(kRegions);
    copies.step(0, transfer(inMemory(kConstants, 0), inSram(1000), 100));
    copies.step(1, transfer(inMemory(kConstants, 0), inSram(2000), 100));
    CHECK(copies.readBy(transfer(inSram(1050), inSram(5000), 1000)) ==
          std::vector<Span64>{{1050, 1100}, {2000, 2050}});
    CHECK(copies.readBy(transfer(inSram(1100), inSram(1000), 900)).empty());
    CHECK(copies.readBy(transfer(inMemory(kConstants, 1050), inSram(1000), 900)).empty());
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
