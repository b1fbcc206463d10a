// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/sram.h"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

constexpr std::uint32_t kBank = 0x10000;  // 512 KiB in 8 banks

bool isRaceSeen(JobBench& bench) {
    return regs::Status::kSramRace.get(bench.read(regs::Status::kSpec.offset)) != 0;
}

// 64 bytes of 0x55 in memory, loaded and stored back; whether the store waits for the load.
CommandList loadAndStore(bool hasToken) {
    CommandList list;
    list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 64));
    list.add(Engine::kDma2, copyBytes(inSram(0), inRegion(0x1000), 64),
             hasToken ? std::vector<TokenWait>{waitFor(Engine::kDma0, 1)}
                      : std::vector<TokenWait>{});
    return list;
}

void fill55(JobBench& bench) {
    for (std::uint64_t i = 0; i < 64; ++i) {
        *bench.memory.at(JobBench::bus(i)) = std::byte{0x55};
    }
}

bool isAll55(JobBench& bench, std::uint64_t offset) {
    for (std::uint64_t i = 0; i < 64; ++i) {
        if (*bench.memory.at(JobBench::bus(offset + i)) != std::byte{0x55}) {
            return false;
        }
    }
    return true;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/sram");

TEST_CASE("engines in one bank slow down the one that begins later [E-3]") {
    simCase([] {
        // 3200 bytes in each direction in 116 cycles are 200 beats of 32 bytes: 1.72 of the port,
        // capped to the whole port when alone. A second user of the bank with the demand of a whole
        // port doubles its time.
        CommandList list;
        list.add(Engine::kMac, gemm(512, 32, 16, 0x0000, 0x3000, 0x4000));
        list.add(Engine::kVector, clampBytes(0x8000, 0x9000, 3200));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        const auto mac = bench.observer.of(Engine::kMac).at(0);
        const auto vector = bench.observer.of(Engine::kVector).at(0);
        CHECK(mac.sramStallCycles == 0);
        // The product: two folds, 558 + 512 cycles, output stage 1024: 2094. Its traffic: 16384
        // bytes of input, 512 of filter, 16384 of output: 512 + 16 + 512 beats. 1040 / 2094 =
        // 0.4967 of the port.
        CHECK(vector.busyCycles == 116);
        CHECK(vector.endCycle - vector.startCycle == 174);  // 116 * 1.4967, rounded up
        CHECK(vector.sramStallCycles == 58);
        CHECK(bench.perf(regs::PerfEvent::kSramStallCycles) == 58);
    });
}

TEST_CASE("a long operation is slowed down only while the short one beside it runs [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kVector, clampBytes(0x8000, 0x9000, 3200));
        list.add(Engine::kMac, gemm(512, 32, 16, 0x0000, 0x3000, 0x4000));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        const auto vector = bench.observer.of(Engine::kVector).at(0);
        const auto mac = bench.observer.of(Engine::kMac).at(0);
        CHECK(vector.sramStallCycles == 0);
        REQUIRE(vector.endCycle - vector.startCycle == 116);
        // As above: the product needs 0.4967 of the port for 2094 cycles, the vector unit all of it
        // for 116.
        REQUIRE(mac.startCycle >= vector.startCycle);
        REQUIRE(mac.startCycle < vector.endCycle - 50);
        const auto together = static_cast<double>(vector.endCycle - mac.startCycle);
        CHECK(mac.sramStallCycles == std::ceil(together * 1040 / 2094));
        CHECK(mac.endCycle - mac.startCycle == 2094 + mac.sramStallCycles);
    });
}

TEST_CASE("engines in different banks do not conflict [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kMac, gemm(512, 32, 16, 0x0000, 0x3000, 0x4000));
        list.add(Engine::kVector, clampBytes(kBank, 2 * kBank, 3200));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        const auto vector = bench.observer.of(Engine::kVector).at(0);
        CHECK(vector.endCycle - vector.startCycle == 116);
        CHECK(vector.sramStallCycles == 0);
    });
}

TEST_CASE("a stream with its tokens never races [E-2]") {
    simCase([] {
        JobBench bench(loadAndStore(true));
        fill55(bench);
        CHECK(bench.runJob() == 0);
        CHECK_FALSE(isRaceSeen(bench));
        CHECK(isAll55(bench, 0x1000));
        CHECK(bench.perf(regs::PerfEvent::kSramRaces) == 0);
    });
}

TEST_CASE("reading bytes that are still being written is detected and corrupts the reader [E-2]") {
    simCase([] {
        JobBench bench(loadAndStore(false));
        fill55(bench);
        CHECK(bench.runJob() == 0);
        CHECK(isRaceSeen(bench));
        CHECK_FALSE(isAll55(bench, 0x1000));
        CHECK(bench.perf(regs::PerfEvent::kSramRaces) == 1);
        REQUIRE(bench.observer.faults.size() == 1);
        CHECK(bench.observer.faults[0].second ==
              "sram race: dma2 command 0 reads 0x0..0x40 while dma0 command 0 writes "
              "0x0..0x40");
    });
}

TEST_CASE("writing bytes that are still being read corrupts the reader [E-2]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 64));
        list.add(Engine::kDma2, copyBytes(inSram(0), inRegion(0x1000), 64),
                 {waitFor(Engine::kDma0, 1)});
        // The next tile is loaded without waiting for the store.
        list.add(Engine::kDma1, fillBytes(inSram(32), 64, 0, 1), {waitFor(Engine::kDma0, 1)});
        JobBench bench(list);
        fill55(bench);
        CHECK(bench.runJob() == 0);
        CHECK(isRaceSeen(bench));
        CHECK_FALSE(isAll55(bench, 0x1000));
    });
}

TEST_CASE("two writers at once corrupt both results [E-2]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 64));
        list.add(Engine::kDma1, copyBytes(inRegion(0), inSram(60), 64));
        list.add(Engine::kDma2, copyBytes(inSram(0), inRegion(0x1000), 128),
                 {waitFor(Engine::kDma0, 1), waitFor(Engine::kDma1, 1)});
        JobBench bench(list);
        fill55(bench);
        CHECK(bench.runJob() == 0);
        CHECK(isRaceSeen(bench));
        CHECK(*bench.memory.at(JobBench::bus(0x1000)) != std::byte{0x55});
        CHECK(*bench.memory.at(JobBench::bus(0x1000 + 120)) != std::byte{0x55});
    });
}

TEST_CASE("a vector command that overtakes the array computes wrong results [E-2]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kMac, gemm(64, 32, 32, 0, kBank, 2 * kBank));
        list.add(Engine::kVector, clampBytes(2 * kBank, 3 * kBank, 64));
        list.add(Engine::kDma2, copyBytes(inSram(std::uint64_t{3} * kBank), inRegion(0), 64),
                 {waitFor(Engine::kVector, 1)});
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        CHECK(isRaceSeen(bench));
        // The SRAM is zero, so a correct result would be zero.
        CHECK(*bench.memory.at(JobBench::bus(0)) != std::byte{0});
    });
}

TEST_CASE("the array's results are corrupted if they are overwritten early [E-2]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kMac, gemm(64, 32, 32, 0, kBank, 2 * kBank));
        list.add(Engine::kDma0, fillBytes(inSram(0), 64, 7, 1));  // the input, while it is read
        list.add(Engine::kDma2, copyBytes(inSram(std::uint64_t{2} * kBank), inRegion(0), 64),
                 {waitFor(Engine::kMac, 1)});
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        CHECK(isRaceSeen(bench));
        CHECK(*bench.memory.at(JobBench::bus(0)) != std::byte{0});
    });
}

TEST_CASE("interleaved rows of two engines are not a race [E-2]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyRows(inRegion(0), inSram(0), 32, 16, 32, 64));
        list.add(Engine::kDma1, copyRows(inRegion(0x8000), inSram(32), 32, 16, 32, 64));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        CHECK_FALSE(isRaceSeen(bench));
    });
}

TEST_CASE("corrupted data is the same in every run [E-4]") {
    simCase([] {
        JobBench bench(loadAndStore(false));
        fill55(bench);
        CHECK(bench.runJob() == 0);
        // dma2 is engine 2, its command 0: 0x80 | (0*37 + 2*11) = 0x96 over 0x55.
        CHECK(*bench.memory.at(JobBench::bus(0x1000)) == (std::byte{0x55} ^ std::byte{0x96}));
    });
}

TEST_CASE("the race bit stays until reset [E-2]") {
    simCase([] {
        JobBench bench(loadAndStore(false));
        CHECK(bench.runJob() == 0);
        CHECK(isRaceSeen(bench));
        CHECK(isRaceSeen(bench));
        bench.write(regs::Control::kSpec.offset, regs::Control::kReset.mask());
        CHECK_FALSE(isRaceSeen(bench));
    });
}

TEST_CASE("accumulators that are read while the array writes them are corrupted [Q-3]") {
    simCase([] {
        MacConv work = gemm(64, 32, 32, 0, kBank, 2 * kBank);
        work.flags = 0;
        CommandList list;
        list.add(Engine::kMac, work);
        list.add(Engine::kDma0,
                 copyBytes(MemoryRef{kSpaceAccumulators, 0, 0, 64 * 32 * 4 - 4}, inRegion(0), 64));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        CHECK(isRaceSeen(bench));
        CHECK(*bench.memory.at(JobBench::bus(0)) != std::byte{0});
    });
}

TEST_CASE("accumulators after the array's are free, and so is SRAM at the same offsets [Q-3]") {
    simCase([] {
        MacConv work = gemm(64, 32, 32, kBank, 2 * kBank, 3 * kBank);
        work.flags = 0;
        CommandList list;
        list.add(Engine::kMac, work);
        list.add(Engine::kDma0,
                 copyBytes(MemoryRef{kSpaceAccumulators, 0, 0, 64 * 32 * 4}, inRegion(0), 64));
        list.add(Engine::kDma1, copyBytes(inRegion(0x1000), inSram(0), 64));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        CHECK_FALSE(isRaceSeen(bench));
    });
}

TEST_CASE("with poisoning, a job finds nothing of an earlier one [Q-3]") {
    simCase([] {
        NpuConfig config;
        config.poisonOnChip = true;
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inSram(kBank), inRegion(0), 64));
        list.add(Engine::kDma1,
                 copyBytes(MemoryRef{kSpaceAccumulators, 0, 0, 128}, inRegion(64), 64));
        JobBench bench(list, config);
        CHECK(bench.runJob() == 0);
        for (std::uint64_t i = 0; i < 128; ++i) {
            CHECK(*bench.memory.at(JobBench::bus(i)) == std::byte{0xA5});
        }
    });
}

TEST_CASE("with poisoning, a job finds the bytes of an earlier one that JOB_KEEP selects [Q-3]") {
    simCase([] {
        constexpr std::uint32_t kBlock = 0x2000;  // a 64th
        CommandList load;
        load.add(Engine::kDma0, copyBytes(inRegion(0), inSram(40 * kBlock - 32), 64));
        CommandList store;
        store.add(Engine::kDma0, copyBytes(inSram(40 * kBlock - 32), inRegion(0x1000), 64));
        const std::vector<Region> regions = {{kRegionVa, kRegionBytes}};
        const DeviceBench* device = nullptr;
        bool isDone = false;
        DeviceBench::Options options;
        options.config.poisonOnChip = true;
        options.script = [&](ControllerPort& port) {
            device->setRoot(port);
            startJob(port, regions);
            pushAll(port, load);
            CHECK(waitForAll(port, load) == 0);
            port.write32(regs::JobKeepHi::kSpec.offset, 1U << 8);
            startJob(port, regions);
            pushAll(port, store);
            CHECK(waitForAll(port, store) == 0);
            isDone = true;
        };
        DeviceBench bench(std::move(options));
        device = &bench;
        bench.map(kRegionVa, MemoryTarget::kBase, kRegionBytes, true, true);
        for (std::uint64_t i = 0; i < 64; ++i) {
            *bench.memory.at(JobBench::bus(i)) = std::byte{0x55};
        }
        bench.boot();
        REQUIRE(bench.runUntil([&] { return isDone; }, 100'000));
        for (std::uint64_t i = 0; i < 64; ++i) {
            CHECK(*bench.memory.at(JobBench::bus(0x1000 + i)) ==
                  (i < 32 ? std::byte{0xA5} : std::byte{0x55}));
        }
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
