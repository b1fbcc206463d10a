// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>

#include "tests/hw_model/regs/sample_commands.h"

namespace vnpu::hw::test {
namespace {

template <typename Change>
JobStatus transfer(Change change) {
    DmaTransfer work = sampleTransfer();
    change(work);
    return validate(Engine::kDma0, work);
}

template <typename Change>
JobStatus fill(Change change) {
    DmaFill work = sampleFill();
    change(work);
    return validate(Engine::kDma0, work);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/regs/command_validator_dma");

TEST_CASE("every direction is allowed") {
    CHECK(transfer([](DmaTransfer& w) {
              w.source = inSram(0);
              w.destination = inRegion(kWritableRegion, 0);
          }) == JobStatus::kOk);
    CHECK(transfer([](DmaTransfer& w) { w.destination = inRegion(kWritableRegion, 0); }) ==
          JobStatus::kOk);
    CHECK(transfer([](DmaTransfer& w) { w.source = inSram(0x8000); }) == JobStatus::kOk);
}

TEST_CASE("reserved words must be zero") {
    CHECK(transfer([](DmaTransfer& w) { w.reserved = 1; }) == JobStatus::kReservedNotZero);
    CHECK(fill([](DmaFill& w) { w.reserved = 1; }) == JobStatus::kReservedNotZero);
}

TEST_CASE("reserved words of references must be zero") {
    CHECK(transfer([](DmaTransfer& w) { w.source.reserved0 = 1; }) == JobStatus::kReservedNotZero);
    CHECK(transfer([](DmaTransfer& w) { w.destination.reserved1 = 1; }) ==
          JobStatus::kReservedNotZero);
}

TEST_CASE("a row must have at least one byte") {
    CHECK(transfer([](DmaTransfer& w) { w.rowBytes = 0; }) == JobStatus::kBadOperand);
    CHECK(fill([](DmaFill& w) { w.rowBytes = 0; }) == JobStatus::kBadOperand);
}

TEST_CASE("each count must be at least one") {
    for (int d = 0; d < 3; ++d) {
        CHECK(transfer([d](DmaTransfer& w) { w.counts[d] = 0; }) == JobStatus::kBadOperand);
        CHECK(fill([d](DmaFill& w) { w.counts[d] = 0; }) == JobStatus::kBadOperand);
    }
}

TEST_CASE("a region must be in the job's table") {
    CHECK(transfer([](DmaTransfer& w) { w.source.space = 3; }) == JobStatus::kBadRegion);
    CHECK(transfer([](DmaTransfer& w) { w.source.space = 0xFFFE; }) == JobStatus::kBadRegion);
    CHECK(transfer([](DmaTransfer& w) { w.destination.space = 3; }) == JobStatus::kBadRegion);
}

TEST_CASE("a destination must be writable") {
    CHECK(transfer([](DmaTransfer& w) { w.destination = inRegion(kReadOnlyRegion, 0); }) ==
          JobStatus::kReadOnlyRegion);
    CHECK(fill([](DmaFill& w) { w.destination = inRegion(kReadOnlyRegion, 0); }) ==
          JobStatus::kReadOnlyRegion);
}

// The sample's source covers 3 * 64 + 16 = 208 bytes of 4096: the last valid offset is 3888.
TEST_CASE("the source may end with its region, but not beyond it") {
    CHECK(transfer([](DmaTransfer& w) { w.source.offset = 3888; }) == JobStatus::kOk);
    CHECK(transfer([](DmaTransfer& w) { w.source.offset = 3889; }) == JobStatus::kOutOfRegion);
    CHECK(transfer([](DmaTransfer& w) { w.source.offset = 4097; }) == JobStatus::kOutOfRegion);
}

// 3 * 32 + 16 = 112 bytes of 65536.
TEST_CASE("the destination may end with the SRAM, but not beyond it") {
    CHECK(transfer([](DmaTransfer& w) { w.destination.offset = 65424; }) == JobStatus::kOk);
    CHECK(transfer([](DmaTransfer& w) { w.destination.offset = 65425; }) == JobStatus::kOutOfSram);
}

TEST_CASE("an offset near 2^64 does not wrap around") {
    CHECK(transfer([](DmaTransfer& w) { w.source.offset = ~0ULL; }) == JobStatus::kOutOfRegion);
    CHECK(transfer([](DmaTransfer& w) { w.source = inRegion(kVastRegion, ~0ULL - 100); }) ==
          JobStatus::kOutOfRegion);
    CHECK(transfer([](DmaTransfer& w) { w.destination.offset = ~0ULL - 8; }) ==
          JobStatus::kOutOfSram);
}

TEST_CASE("three maximal strides do not wrap around") {
    CHECK(transfer([](DmaTransfer& w) {
              w.source = inRegion(kVastRegion, 0);
              for (int d = 0; d < 3; ++d) {
                  w.counts[d] = 0xFFFFFFFF;
                  w.sourceStrides[d] = 0xFFFFFFFF;
              }
          }) == JobStatus::kOutOfRegion);
}

TEST_CASE("a source may repeat a row") {
    CHECK(transfer([](DmaTransfer& w) { w.sourceStrides[2] = 0; }) == JobStatus::kOk);
    CHECK(transfer([](DmaTransfer& w) { w.sourceStrides[2] = 4; }) == JobStatus::kOk);
}

TEST_CASE("written rows must not overlap") {
    CHECK(transfer([](DmaTransfer& w) { w.destinationStrides[2] = 0; }) == JobStatus::kBadOperand);
    CHECK(transfer([](DmaTransfer& w) { w.destinationStrides[2] = 15; }) == JobStatus::kBadOperand);
    CHECK(transfer([](DmaTransfer& w) { w.destinationStrides[2] = 16; }) == JobStatus::kOk);
}

TEST_CASE("overlapping dimensions are refused") {
    CHECK(transfer([](DmaTransfer& w) {
              w.counts[1] = 4;
              w.destinationStrides[1] = 16;
              w.destinationStrides[2] = 16;
          }) == JobStatus::kBadOperand);
}

// 2^32-1 rows in each dimension would occupy a channel forever; the strides keep the extent small
// enough.
TEST_CASE("a transfer of more bytes than its destination holds is refused") {
    CHECK(transfer([](DmaTransfer& w) {
              w.source = inRegion(kVastRegion, 0);
              w.destination = inRegion(kVastRegion, 0);
              w.rowBytes = 1;
              for (int d = 0; d < 3; ++d) {
                  w.counts[d] = 0xFFFFFFFF;
                  w.sourceStrides[d] = 0;
                  w.destinationStrides[d] = 1;
              }
          }) == JobStatus::kBadOperand);
}

// 2^31 bytes in 2^31 x 4 rows are 2^64, which is 0 modulo 2^64; the overlapping rows cover
// little more than 2^62.
TEST_CASE("a product of sizes beyond 64 bits does not wrap around to a small one") {
    CHECK(transfer([](DmaTransfer& w) {
              w.source = inRegion(kVastRegion, 0);
              w.destination = inRegion(kVastRegion, 0);
              w.rowBytes = 0x80000000;
              w.counts[0] = 0x80000000;
              w.counts[1] = 4;
              w.sourceStrides[0] = 0;
              w.destinationStrides[0] = 0x80000000;
              w.destinationStrides[1] = 0x80000000;
              w.counts[2] = 1;
          }) == JobStatus::kBadOperand);
}

TEST_CASE("strides of single rows do not matter") {
    CHECK(transfer([](DmaTransfer& w) {
              w.sourceStrides[0] = 0xFFFFFFFF;
              w.destinationStrides[1] = 0xFFFFFFFF;
          }) == JobStatus::kOk);
}

// The row of 4096 bytes is decoded from 100 at the end of its region.
TEST_CASE("a coded transfer has one row, and its source ends with the coded bytes") {
    const auto coded = [](auto change) {
        return transfer([&](DmaTransfer& w) {
            w.source.offset = kRegionBytes[kReadOnlyRegion] - 100;
            w.rowBytes = 4096;
            w.codedBytes = 100;
            std::fill(std::begin(w.counts), std::end(w.counts), 1U);
            change(w);
        });
    };
    CHECK(coded([](DmaTransfer&) {}) == JobStatus::kOk);
    CHECK(coded([](DmaTransfer& w) { w.codedBytes = 101; }) == JobStatus::kOutOfRegion);
    CHECK(coded([](DmaTransfer& w) { w.codedBytes = 0; }) == JobStatus::kOutOfRegion);
    CHECK(coded([](DmaTransfer& w) { w.rowBytes = static_cast<std::uint32_t>(kSramBytes); }) ==
          JobStatus::kOutOfSram);
    for (int d = 0; d < 3; ++d) {
        CHECK(coded([d](DmaTransfer& w) { w.counts[d] = 2; }) == JobStatus::kBadOperand);
    }
    CHECK(coded([](DmaTransfer& w) { w.source = inSram(0x8000); }) == JobStatus::kBadOperand);
    CHECK(coded([](DmaTransfer& w) { w.destination = inRegion(kWritableRegion, 0); }) ==
          JobStatus::kBadOperand);
}

TEST_CASE("a pattern has one or four bytes") {
    CHECK(fill([](DmaFill& w) { w.patternBytes = 1; }) == JobStatus::kOk);
    CHECK(fill([](DmaFill& w) { w.patternBytes = 2; }) == JobStatus::kBadOperand);
    CHECK(fill([](DmaFill& w) { w.patternBytes = 0; }) == JobStatus::kBadOperand);
}

TEST_CASE("a row must hold whole patterns") {
    CHECK(fill([](DmaFill& w) { w.rowBytes = 62; }) == JobStatus::kBadOperand);
    CHECK(fill([](DmaFill& w) {
              w.rowBytes = 62;
              w.patternBytes = 1;
          }) == JobStatus::kOk);
}

// 128 + 64 = 192 bytes of 8192.
TEST_CASE("a fill must end within its region") {
    CHECK(fill([](DmaFill& w) { w.destination.offset = 8000; }) == JobStatus::kOk);
    CHECK(fill([](DmaFill& w) { w.destination.offset = 8001; }) == JobStatus::kOutOfRegion);
}

TEST_CASE("a fill may write SRAM") {
    CHECK(fill([](DmaFill& w) { w.destination = inSram(0); }) == JobStatus::kOk);
    CHECK(fill([](DmaFill& w) { w.destination = inSram(65536 - 191); }) == JobStatus::kOutOfSram);
}

TEST_CASE("a timestamp needs eight aligned bytes of a writable region") {
    const auto at = [](MemoryRef ref) { return validate(Engine::kController, Timestamp{ref}); };
    CHECK(at(inRegion(kWritableRegion, 8184)) == JobStatus::kOk);
    CHECK(at(inRegion(kWritableRegion, 8192)) == JobStatus::kOutOfRegion);
    CHECK(at(inRegion(kWritableRegion, 4)) == JobStatus::kMisaligned);
    CHECK(at(inRegion(kReadOnlyRegion, 0)) == JobStatus::kReadOnlyRegion);
    CHECK(at(inRegion(9, 0)) == JobStatus::kBadRegion);
    CHECK(at(inSram(0)) == JobStatus::kBadRegion);
}

TEST_SUITE_END();

}  // namespace vnpu::hw::test
