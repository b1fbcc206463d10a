// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/engines/mac_array.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

// Closed forms by hand for the default array: 16 x 16, weight stationary, double-buffered weights,
// 16 output lanes. First fold 2*16 + 16 + M - 2, each later fold max(M, 16), folds ceil(K/16) *
// ceil(N/16), output stage M*N/16.

namespace vnpu::test {
namespace {

using namespace hw;

constexpr std::uint32_t kA = 0x00000;  // one bank each
constexpr std::uint32_t kB = 0x10000;
constexpr std::uint32_t kC = 0x20000;
constexpr std::uint32_t kD = 0x30000;

MacConv conv3x3(std::uint32_t size, std::uint32_t channels, std::uint32_t outputs) {
    MacConv work = gemm(1, outputs, channels, kA, kB, kC);
    work.inputHeight = work.inputWidth = work.outputHeight = work.outputWidth = size;
    work.inputPixelBytes = channels;
    work.inputRowBytes = size * channels;
    work.outputPixelBytes = outputs;
    work.outputRowBytes = size * outputs;
    work.filterHeight = work.filterWidth = 3;
    work.padTop = work.padLeft = 1;
    return work;
}

// Whether a product of 64 rows in blocks, stored to `output`, ends with a race.
bool hasRace(std::uint32_t output, std::uint32_t blockRows) {
    CommandList list;
    MacConv work = gemm(64, 32, 32, kA, kB, output);
    work.blockHeight = blockRows;
    work.blockWidth = 1;
    work.blockChannels = 32;
    list.add(Engine::kMac, work);
    JobBench bench(list);
    CHECK(bench.runJob() == 0);
    return regs::Status::kSramRace.get(bench.read(regs::Status::kSpec.offset)) != 0;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/mac_array");

TEST_CASE("a product takes the array's closed form and the output stage [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kMac, gemm(64, 32, 32, kA, kB, kC));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        const auto record = bench.observer.of(Engine::kMac).at(0);
        CHECK(cyclesOf(record) == (2 * 16 + 16 + 64 - 2) + 3 * 64 + 64 * 32 / 16);
        CHECK(record.operations == 64 * 32 * 32);
        CHECK(record.sramStallCycles == 0);
        CHECK(bench.perf(regs::PerfEvent::kMacOperations) == 64 * 32 * 32);
        CHECK(bench.perf(regs::PerfEvent::kMacActiveCycles) == 110 + 3 * 64);
    });
}

TEST_CASE("a 3 x 3 convolution is nine taps of folds [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kMac, conv3x3(8, 16, 32));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        // M = 64, K = 144: 9 * 2 folds.
        CHECK(cyclesOf(bench.observer.of(Engine::kMac).at(0)) == 110 + 17 * 64 + 64 * 32 / 16);
    });
}

TEST_CASE("an output stationary array has its own folds [E-3]") {
    simCase([] {
        NpuConfig config;
        config.mac.dataflow = Dataflow::kOutputStationary;
        config.mac.weightDoubleBuffer = false;
        config.sram.portBytes = 64;
        CommandList list;
        list.add(Engine::kMac, gemm(48, 32, 100, kA, kB, kC));
        JobBench bench(list, config);
        CHECK(bench.runJob() == 0);
        CHECK(cyclesOf(bench.observer.of(Engine::kMac).at(0)) ==
              3 * 2 * (16 + 16 + 100 - 2) + 48 * 32 / 16);
    });
}

TEST_CASE("computes the product of the bytes that were loaded [E-2]") {
    simCase([] {
        constexpr std::uint32_t kM = 7;
        constexpr std::uint32_t kN = 5;
        constexpr std::uint32_t kK = 9;
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(kA), kM * kK));
        list.add(Engine::kDma1, copyBytes(inRegion(0x1000), inSram(kB), kN * kK));
        list.add(Engine::kMac, gemm(kM, kN, kK, kA, kB, kC),
                 {waitFor(Engine::kDma0, 1), waitFor(Engine::kDma1, 1)});
        list.add(Engine::kDma2, copyBytes(inSram(kC), inRegion(0x2000), kM * kN),
                 {waitFor(Engine::kMac, 1)});
        JobBench bench(list);
        const auto a = [](std::uint32_t i) { return static_cast<int>(i * 5 % 7) - 3; };
        const auto b = [](std::uint32_t i) { return static_cast<int>(i * 3 % 5) - 2; };
        for (std::uint32_t i = 0; i < kM * kK; ++i) {
            bench.memory.store(JobBench::bus(i), static_cast<std::int8_t>(a(i)));
        }
        for (std::uint32_t i = 0; i < kN * kK; ++i) {
            bench.memory.store(JobBench::bus(0x1000 + i), static_cast<std::int8_t>(b(i)));
        }
        CHECK(bench.runJob() == 0);
        for (std::uint32_t m = 0; m < kM; ++m) {
            for (std::uint32_t n = 0; n < kN; ++n) {
                int sum = 0;
                for (std::uint32_t k = 0; k < kK; ++k) {
                    sum += a(m * kK + k) * b(n * kK + k);
                }
                CHECK(bench.memory.load<std::int8_t>(JobBench::bus(0x2000 + m * kN + n)) ==
                      std::clamp(sum, -128, 127));
            }
        }
        CHECK(regs::Status::kSramRace.get(bench.read(regs::Status::kSpec.offset)) == 0);
    });
}

TEST_CASE("the array continues while the output stage finishes [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kMac, gemm(64, 32, 32, kA, kB, kC));
        list.add(Engine::kMac, gemm(64, 32, 32, kA, kB, kD));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        const auto records = bench.observer.of(Engine::kMac);
        REQUIRE(records.size() == 2);
        CHECK(records[0].endCycle - records[0].startCycle == 302 + 128);
        CHECK(records[1].startCycle - records[0].startCycle == 302);
        CHECK(records[1].endCycle - records[1].startCycle == 302 + 128);
    });
}

TEST_CASE("a slow output stage holds the array after one command [E-3]") {
    simCase([] {
        CommandList list;
        NpuConfig config;
        config.mac.outputLanes = 1;  // 2048 cycles of output stage for 302 of array
        for (int i = 0; i < 3; ++i) {
            list.add(Engine::kMac, gemm(64, 32, 32, kA, kB, kC));
        }
        JobBench bench(list, config);
        CHECK(bench.runJob() == 0);
        const auto records = bench.observer.of(Engine::kMac);
        REQUIRE(records.size() == 3);
        const std::uint64_t start = records[0].startCycle;
        CHECK(records[0].endCycle == start + 302 + 2048);
        CHECK(records[1].startCycle == start + 302);
        CHECK(records[1].endCycle == start + 302 + std::uint64_t{2} * 2048);
        // The second command stays in the array until the output stage accepts it.
        CHECK(records[2].startCycle == start + 302 + 2048);
        CHECK(records[2].endCycle == start + 302 + std::uint64_t{3} * 2048);
    });
}

TEST_CASE("a command that reads the pending results waits for them [E-2]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kMac, gemm(64, 32, 32, kA, kB, kC));
        list.add(Engine::kMac, gemm(64, 32, 32, kC, kB, kD));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        const auto records = bench.observer.of(Engine::kMac);
        REQUIRE(records.size() == 2);
        CHECK(records[1].startCycle == records[0].endCycle);
        CHECK(bench.perf(regs::PerfEvent::kSramRaces) == 0);
    });
}

TEST_CASE("accumulating commands post in order, without the output stage [E-2]") {
    simCase([] {
        CommandList list;
        MacConv first = gemm(16, 16, 16, kA, kB, kC);
        first.flags = 0;
        MacConv second = first;
        second.flags = kMacAccumulate | kMacDrain;
        list.add(Engine::kDma0, fillBytes(inSram(kA), 256, 1, 1));
        list.add(Engine::kDma1, fillBytes(inSram(kB), 256, 2, 1));
        list.add(Engine::kMac, first, {waitFor(Engine::kDma0, 1), waitFor(Engine::kDma1, 1)});
        list.add(Engine::kMac, second);
        list.add(Engine::kDma2, copyBytes(inSram(kC), inRegion(0), 256),
                 {waitFor(Engine::kMac, 2)});
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        const auto records = bench.observer.of(Engine::kMac);
        CHECK(cyclesOf(records.at(0)) == 62);
        CHECK(records.at(1).endCycle == records.at(0).endCycle + 62 + 16);
        CHECK(bench.memory.load<std::uint8_t>(JobBench::bus(100)) == 2 * 16 * 1 * 2);
    });
}

TEST_CASE("commands that pass on sums keep their order, other commands do not wait [E-2]") {
    const auto accessesOf = [](std::uint32_t input, std::uint32_t output, std::uint32_t flags) {
        MacConv work = gemm(16, 16, 16, input, kB, output);
        work.flags = flags;
        return dataAccessesOf(work, footprintOf(MacConfig{}, work));
    };
    const DataAccesses leaves = accessesOf(kA, kC, 0);
    const DataAccesses takes = accessesOf(kD, kC, kMacAccumulate | kMacDrain);
    CHECK(leaves.conflictWith(takes));
    CHECK(leaves.conflictWith(leaves));
    // From zero to the output, in the same accumulators with other results.
    const DataAccesses drains = accessesOf(kA, kC, kMacDrain);
    CHECK_FALSE(drains.conflictWith(accessesOf(kA, kD, kMacDrain)));
    CHECK_FALSE(drains.conflictWith(leaves));
    CHECK(drains.conflictWith(accessesOf(kC, kD, kMacDrain)));
}

// Blocks of 16 rows: 110 cycles of array and 32 of output stage each.
TEST_CASE("a command's blocks overlap each other and the command before [E-3]") {
    simCase([] {
        CommandList list;
        MacConv work = gemm(64, 32, 32, kA, kB, kC);
        work.blockHeight = 16;
        work.blockWidth = 1;
        work.blockChannels = 32;
        list.add(Engine::kMac, work);
        work.outputSram = kD;
        list.add(Engine::kMac, work);
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        const auto records = bench.observer.of(Engine::kMac);
        REQUIRE(records.size() == 2);
        CHECK(cyclesOf(records[0]) == 4 * 110 + 32);
        CHECK(records[1].startCycle - records[0].startCycle == 4 * 110);
        CHECK(cyclesOf(records[1]) == 4 * 110 + 32);
        CHECK(bench.perf(regs::PerfEvent::kMacActiveCycles) == 8 * 110);
    });
}

TEST_CASE("the first block waits for the command before in the output stage [E-3]") {
    simCase([] {
        CommandList list;
        NpuConfig config;
        config.mac.outputLanes = 1;  // 512 cycles a block
        MacConv work = gemm(64, 32, 32, kA, kB, kC);
        work.blockHeight = 16;
        work.blockWidth = 1;
        work.blockChannels = 32;
        list.add(Engine::kMac, work);
        work.outputSram = kD;
        list.add(Engine::kMac, work);
        JobBench bench(list, config);
        CHECK(bench.runJob() == 0);
        const auto records = bench.observer.of(Engine::kMac);
        REQUIRE(records.size() == 2);
        CHECK(cyclesOf(records[0]) == 110 + 4 * 512);
        // The array is free when the last block enters the output stage, 512 before its end.
        CHECK(records[0].endCycle - records[1].startCycle == 512);
        CHECK(records[1].endCycle - records[0].endCycle == 4 * 512);
    });
}

TEST_CASE("blocks that overwrite what later ones read race with themselves [E-1]") {
    simCase([] { CHECK(hasRace(kA + 63 * 32, 16)); });  // the last row of the input
}

TEST_CASE("blocks that overwrite the filter race with themselves [E-1]") {
    simCase([] { CHECK(hasRace(kB + 32 * 32 - 1, 16)); });  // its last byte
}

TEST_CASE("one block has read everything before it writes [E-1]") {
    simCase([] { CHECK_FALSE(hasRace(kA + 63 * 32, 64)); });
}

TEST_CASE("blocks that write after the end of their input do not race [E-1]") {
    simCase([] { CHECK_FALSE(hasRace(kA + 64 * 32, 16)); });
}

TEST_CASE("operands outside the SRAM are refused [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kMac, gemm(64, 32, 32, 512 * 1024 - 100, kB, kC));
        JobBench bench(list);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kOutOfSram);
    });
}

TEST_CASE("blocks race while an earlier command still drains [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kMac, gemm(64, 32, 32, kA, kB, kC));
        list.add(Engine::kMac, gemm(64, 32, 32, 512 * 1024 - 100, kB, kC));
        JobBench bench(list);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kOutOfSram);
    });
}

TEST_CASE("accumulators outside their memory are refused [E-1]") {
    simCase([] {
        CommandList list;
        MacConv work = gemm(64, 32, 32, kA, kB, kC);
        work.accumulatorOffset = 64 * 1024 - 64 * 32 * 4 + 4;
        list.add(Engine::kMac, work);
        JobBench bench(list);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kOutOfAccumulator);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
