// SPDX-License-Identifier: Apache-2.0
// Coded transfers of a DMA channel: their times by closed forms, their data, and their faults.
// Cycles follow from the default configuration, as in dma_channel_test.cpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "hw_model/blocks/engines/dma_channel.h"
#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"
#include "tests/support/weight_code_reference.h"

namespace vnpu::test {
namespace {

using namespace hw;

constexpr std::uint32_t kDecoderStart = 40;
constexpr std::uint64_t kUncontendedCycles = 8 + kDecoderStart + 100 + 4;
constexpr std::uint64_t kRun = 511;  // the longest run

NpuConfig decodingDevice(std::uint32_t bytesPerCycle) {
    NpuConfig config;
    config.decoder.bytesPerCycle = bytesPerCycle;
    config.decoder.startupCycles = kDecoderStart;
    return config;
}

std::vector<std::byte> headerOf(int kind, int center, const std::vector<std::byte>& weights) {
    std::vector<std::byte> block(16);
    block[0] = static_cast<std::byte>(kind);
    block[1] = static_cast<std::byte>(center);
    block[2] = static_cast<std::byte>(referenceCrc(weights) & 0xFF);
    block[3] = static_cast<std::byte>(referenceCrc(weights) >> 8);
    return block;
}

/// `runs` runs of 511 weights of one value: a code word of one bit, 0, and eight extra bits, 1.
struct Runs {
    std::vector<std::byte> weights, block;

    explicit Runs(std::uint64_t runs) : weights(runs * kRun, std::byte{0x5A}) {
        block = headerOf(1, 0x5A, weights);
        block[15] = std::byte{0x01};  // symbol 23 has one bit
        block.resize(16 + (runs * 9 + 7) / 8);
        for (std::uint64_t bit = 0; bit < runs * 9; ++bit) {
            if (bit % 9 != 0) {
                block[16 + bit / 8] |= std::byte{0x80} >> (bit % 8);
            }
        }
    }
};

/// Stored bytes, which no code shortens.
struct Stored {
    std::vector<std::byte> weights, block;

    explicit Stored(std::uint64_t bytes) : weights(bytes) {
        for (std::uint64_t i = 0; i < bytes; ++i) {
            weights[i] = static_cast<std::byte>(i * 7 + (i >> 8));
        }
        block = headerOf(0, 0, weights);
        block.insert(block.end(), weights.begin(), weights.end());
    }
};

DmaTransfer decode(const MemoryRef& from, const MemoryRef& to, std::uint64_t coded,
                   std::uint64_t decoded) {
    DmaTransfer work = copyBytes(from, to, static_cast<std::uint32_t>(decoded));
    work.codedBytes = static_cast<std::uint32_t>(coded);
    return work;
}

void store(JobBench& bench, std::uint64_t offset, const std::vector<std::byte>& bytes) {
    for (std::uint64_t i = 0; i < bytes.size(); ++i) {
        *bench.memory.at(JobBench::bus(offset + i)) = bytes[i];
    }
}

/// Bytes of memory at an offset, where a job has stored them.
std::vector<std::byte> bytesAt(JobBench& bench, std::uint64_t offset, std::uint64_t size) {
    std::vector<std::byte> bytes(size);
    for (std::uint64_t i = 0; i < size; ++i) {
        bytes[i] = *bench.memory.at(JobBench::bus(offset + i));
    }
    return bytes;
}

/// Runs one coded transfer and returns ENGINE_ERROR's status.
JobStatus statusOfOne(const DmaTransfer& work, const NpuConfig& config,
                      const std::vector<std::byte>& block) {
    CommandList list;
    list.add(Engine::kDma1, work);
    JobBench bench(list, config);
    store(bench, 0, block);
    return JobBench::statusOf(bench.runJob());
}

/// 4,096 coded bytes take 1,024 cycles of the memory, 4,080 decoded ones 4080 / rate.
void checkRate(std::uint32_t rate) {
    CommandList list;
    list.add(Engine::kDma0, decode(inRegion(0), inSram(0), 4096, 4080));
    JobBench bench(list, decodingDevice(rate));
    store(bench, 0, Stored(4080).block);
    CHECK(bench.runJob() == 0);
    const std::uint64_t decoding = (4080 + rate - 1) / rate;
    CHECK(bench.observer.of(Engine::kDma0).at(0).busyCycles ==
          kUncontendedCycles + std::max<std::uint64_t>(1024, decoding));
}

/// A bit of byte `place` of the block is wrong.
void checkDamage(std::size_t place) {
    Runs runs(40);
    runs.block[place] ^= std::byte{0x20};
    CHECK(statusOfOne(decode(inRegion(0), inSram(0), runs.block.size(), 40 * kRun),
                      decodingDevice(8), runs.block) == JobStatus::kBadCode);
}

/// The command names other numbers of bytes than the block has.
void checkSizes(std::int64_t moreCoded, std::int64_t moreDecoded) {
    const Runs runs(40);
    CHECK(statusOfOne(decode(inRegion(0), inSram(0),
                             runs.block.size() + static_cast<std::uint64_t>(moreCoded),
                             40 * kRun + static_cast<std::uint64_t>(moreDecoded)),
                      decodingDevice(8), runs.block) == JobStatus::kBadCode);
}

template <typename Change>
void checkRefusal(Change change, std::uint32_t rate) {
    const Runs runs(1);
    DmaTransfer work = decode(inRegion(0), inSram(0), runs.block.size(), kRun);
    change(work);
    CHECK(statusOfOne(work, decodingDevice(rate), runs.block) == JobStatus::kBadOperand);
}

/// Of a block of 61 bytes whose end lies that far behind the end of its region; the decoded bytes
/// would reach further.
JobStatus statusAtEnd(std::uint64_t behind) {
    const Runs runs(40);
    const std::uint64_t offset = kRegionBytes - runs.block.size() + behind;
    CommandList list;
    list.add(Engine::kDma1, decode(inRegion(offset), inSram(0), runs.block.size(), 40 * kRun));
    JobBench bench(list, decodingDevice(8));
    if (behind == 0) {
        store(bench, offset, runs.block);
    }
    return JobBench::statusOf(bench.runJob());
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/dma_decoder");

TEST_CASE("a block that the code shortens much takes the decoder's time [E-3]") {
    simCase([] {
        const Runs runs(40);  // 20,440 weights in 61 bytes
        CommandList list;
        list.add(Engine::kDma1, decode(inRegion(0), inSram(0), runs.block.size(), 40 * kRun));
        list.add(Engine::kDma2, copyBytes(inSram(0), inRegion(0x10000), 40 * kRun),
                 {waitFor(Engine::kDma1, 1)});
        JobBench bench(list, decodingDevice(8));
        store(bench, 0, runs.block);
        CHECK(bench.runJob() == 0);
        const auto record = bench.observer.of(Engine::kDma1).at(0);
        CHECK(runs.block.size() == 61);
        CHECK(record.busyCycles == kUncontendedCycles + 40 * kRun / 8);
        CHECK(cyclesOf(record) == kUncontendedCycles + 40 * kRun / 8 + kWalkCycles);
        CHECK(record.dramBytes == 61);
        CHECK(record.sramBytes == 40 * kRun);
        CHECK(bytesAt(bench, 0x10000, 40 * kRun) == runs.weights);
    });
}

TEST_CASE("a block that the code does not shorten takes the memory's time [E-3]") {
    simCase([] {
        const Stored stored(4080);  // 4,096 bytes with the header
        CommandList list;
        list.add(Engine::kDma1, decode(inRegion(0), inSram(0), 4096, 4080));
        list.add(Engine::kDma2, copyBytes(inSram(0), inRegion(0x10000), 4080),
                 {waitFor(Engine::kDma1, 1)});
        JobBench bench(list, decodingDevice(8));
        store(bench, 0, stored.block);
        CHECK(bench.runJob() == 0);
        const auto record = bench.observer.of(Engine::kDma1).at(0);
        CHECK(record.busyCycles == kUncontendedCycles + 4096 / 4);
        CHECK(record.dramBytes == 4096);
        CHECK(bytesAt(bench, 0x10000, 4080) == stored.weights);
    });
}

TEST_CASE("a decoder of 1 byte a cycle takes the longer of its time and the memory's [E-3]") {
    simCase([] { checkRate(1); });
}

TEST_CASE("a decoder of 3 bytes a cycle takes the longer of its time and the memory's [E-3]") {
    simCase([] { checkRate(3); });
}

TEST_CASE("a decoder of 4 bytes a cycle takes the longer of its time and the memory's [E-3]") {
    simCase([] { checkRate(4); });
}

TEST_CASE("a decoder of 255 bytes a cycle takes the longer of its time and the memory's [E-3]") {
    simCase([] { checkRate(255); });
}

TEST_CASE("decoded bytes pass the port of the bank [E-3]") {
    simCase([] {
        NpuConfig config = decodingDevice(64);
        config.sram.portBytes = 16;
        const Runs runs(40);
        CommandList list;
        list.add(Engine::kDma1, decode(inRegion(0), inSram(0), runs.block.size(), 40 * kRun));
        JobBench bench(list, config);
        store(bench, 0, runs.block);
        CHECK(bench.runJob() == 0);
        CHECK(bench.observer.of(Engine::kDma1).at(0).busyCycles ==
              kUncontendedCycles + (40 * kRun + 15) / 16);
    });
}

TEST_CASE("without data the times are the same [E-3]") {
    simCase([] {
        const Runs runs(40);
        NpuConfig config = decodingDevice(8);
        config.timingOnly = true;
        CommandList list;
        list.add(Engine::kDma1, decode(inRegion(0), inSram(0), runs.block.size(), 40 * kRun));
        JobBench bench(list, config);
        CHECK(bench.runJob() == 0);
        CHECK(cyclesOf(bench.observer.of(Engine::kDma1).at(0)) ==
              kUncontendedCycles + 40 * kRun / 8 + kWalkCycles);
    });
}

TEST_CASE("a damaged header ends the job with bad-code [E-4]") {
    simCase([] { checkDamage(0); });
}

TEST_CASE("a wrong CRC ends the job with bad-code [E-4]") {
    simCase([] { checkDamage(2); });
}

TEST_CASE("a damaged code word ends the job with bad-code [E-4]") {
    simCase([] { checkDamage(16); });
}

TEST_CASE("a block that is cut short ends the job with bad-code [E-4]") {
    simCase([] { checkSizes(-1, 0); });
}

TEST_CASE("a byte behind the block ends the job with bad-code [E-4]") {
    simCase([] { checkSizes(1, 0); });
}

TEST_CASE("a block for fewer weights ends the job with bad-code [E-4]") {
    simCase([] { checkSizes(0, 1); });
}

TEST_CASE("a block for more weights ends the job with bad-code [E-4]") {
    simCase([] { checkSizes(0, -1); });
}

TEST_CASE("a device without decoders refuses coded transfers [E-4]") {
    simCase([] { checkRefusal([](DmaTransfer& /*work*/) {}, 0); });
}

TEST_CASE("the channel refuses coded transfers of several rows [E-4]") {
    simCase([] { checkRefusal([](DmaTransfer& work) { work.counts[1] = 2; }, 8); });
}

TEST_CASE("the channel refuses coded transfers to memory [E-4]") {
    simCase([] {
        checkRefusal([](DmaTransfer& work) { work.destination = inRegion(0x10000); }, 8);
    });
}

TEST_CASE("the channel refuses coded transfers within SRAM [E-4]") {
    simCase([] { checkRefusal([](DmaTransfer& work) { work.source = inSram(0x1000); }, 8); });
}

TEST_CASE("the channel refuses coded transfers to the accumulators [E-4]") {
    simCase([] {
        checkRefusal([](DmaTransfer& work) { work.destination.space = kSpaceAccumulators; }, 8);
    });
}

TEST_CASE("a block may end with its region [E-4]") {
    simCase([] { CHECK(statusAtEnd(0) == JobStatus::kOk); });
}

TEST_CASE("a block must not end behind its region [E-4]") {
    simCase([] { CHECK(statusAtEnd(1) == JobStatus::kOutOfRegion); });
}

TEST_SUITE_END();

}  // namespace vnpu::test
