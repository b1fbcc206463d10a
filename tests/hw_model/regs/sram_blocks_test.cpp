// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/sram_blocks.h"

#include <doctest/doctest.h>

#include "tests/hw_model/regs/sample_commands.h"

namespace vnpu::hw::test {
namespace {

constexpr std::uint64_t kBlock = kSramBytes / 64;  // 1 KiB

/// Validates one command of a job that may touch these blocks.
template <typename Payload>
JobStatus validateWithin(std::uint64_t blocks, Engine engine, const Payload& payload) {
    CommandWriter writer;
    writer.add({engine}, payload);
    const std::vector<std::byte> bytes = writer.takeBytes();
    CommandReader reader(bytes);
    CommandView view;
    REQUIRE(reader.next(view));
    ValidationLimits limits = sampleLimits();
    limits.sramBlocks = blocks;
    return validateCommand(view, limits);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/regs/sram_blocks");

TEST_CASE("a byte range lies in the blocks from its first byte's to its last one's") {
    CHECK(sramBlockBytes(kSramBytes) == kBlock);
    CHECK(sramBlocksOf(0, 1, kSramBytes) == 1);
    CHECK(sramBlocksOf(0, kBlock, kSramBytes) == 1);
    CHECK(sramBlocksOf(0, kBlock + 1, kSramBytes) == 3);
    CHECK(sramBlocksOf(kBlock - 1, kBlock + 1, kSramBytes) == 3);
    CHECK(sramBlocksOf(kBlock, 3 * kBlock, kSramBytes) == 6);
    CHECK(sramBlocksOf(kSramBytes - 1, kSramBytes, kSramBytes) == 1ULL << 63);
    CHECK(sramBlocksOf(0, kSramBytes, kSramBytes) == kAllSramBlocks);
    CHECK(sramBlocksOf(1, kSramBytes, kSramBytes) == kAllSramBlocks);
}

TEST_CASE("an empty range lies in no block") {
    CHECK(sramBlocksOf(0, 0, kSramBytes) == 0);
    CHECK(sramBlocksOf(kSramBytes, kSramBytes, kSramBytes) == 0);
}

TEST_CASE("a transfer must span only its job's blocks [Q-4]") {
    DmaTransfer work = sampleTransfer();  // four rows of 16 bytes, 32 apart
    work.destination = inSram(2 * kBlock - 112);
    CHECK(validateWithin(1 << 1, Engine::kDma0, work) == JobStatus::kOk);
    work.destination = inSram(2 * kBlock - 111);
    CHECK(validateWithin(1 << 1, Engine::kDma0, work) == JobStatus::kOutOfSram);
    CHECK(validateWithin(3 << 1, Engine::kDma0, work) == JobStatus::kOk);
    work.destination = inSram(kBlock - 1);
    CHECK(validateWithin(1 << 1, Engine::kDma0, work) == JobStatus::kOutOfSram);
}

TEST_CASE("the engines' operands must lie in the job's blocks [Q-4]") {
    const std::uint64_t used = sramBlocksOf(0, kSramBytes / 2, kSramBytes);
    CHECK(validateWithin(used, Engine::kMac, sampleConv()) == JobStatus::kOk);
    CHECK(validateWithin(~used, Engine::kMac, sampleConv()) == JobStatus::kOutOfSram);
    CHECK(validateWithin(used, Engine::kVector, sampleUnary()) == JobStatus::kOk);
    CHECK(validateWithin(~used, Engine::kVector, sampleUnary()) == JobStatus::kOutOfSram);
    CHECK(validateWithin(used, Engine::kVector, sampleVecOperator()) == JobStatus::kOk);
    CHECK(validateWithin(~used, Engine::kVector, sampleVecOperator()) == JobStatus::kOutOfSram);
}

TEST_CASE("a checkpoint's ranges may span foreign bytes, which are not moved") {
    CHECK(validateWithin(1, Engine::kController, sampleCheckpoint()) == JobStatus::kOk);
}

TEST_SUITE_END();

}  // namespace vnpu::hw::test
