// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/engines/dma_channel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

// Cycles below follow from the default configuration: start-up 8, DRAM latency 100 at 4 bytes per
// cycle, interconnect latency 4, channel 16 bytes per cycle, bursts of 64 bytes, page walk 60
// (first use of a page).

namespace vnpu::test {
namespace {

using namespace hw;

constexpr std::uint64_t kFixedCycles = 8 + 100 + 4;
constexpr std::uint64_t kPage = 4096;

void fillMemory(JobBench& bench, std::uint64_t bytes) {
    for (std::uint64_t i = 0; i < bytes; ++i) {
        *bench.memory.at(JobBench::bus(i)) = static_cast<std::byte>(i * 7 + (i >> 8));
    }
}

/// Region 1 with its pages in random order: page `i` has the bytes of page `result[i]`.
std::vector<std::uint64_t> shufflePages(JobBench& bench, std::mt19937& random) {
    std::vector<std::uint64_t> places(kRegionBytes / kPage);
    std::iota(places.begin(), places.end(), std::uint64_t{0});
    std::shuffle(places.begin(), places.end(), random);
    for (std::uint64_t page = 0; page < places.size(); ++page) {
        bench.map(JobBench::smallPagesVa() + page * kPage, JobBench::bus(places[page] * kPage),
                  kPage);
    }
    return places;
}

std::uint32_t randomBelow(std::mt19937& random, std::uint32_t end) {
    return static_cast<std::uint32_t>(random() % end);
}

/// Strides of rows in up to three dimensions, with or without gaps, or overlapping.
void setRandomStrides(std::mt19937& random, const DmaTransfer& shape, bool mayOverlap,
                      std::uint32_t (&strides)[3]) {
    std::uint32_t extent = shape.rowBytes;
    for (std::size_t d = 3; d-- > 0;) {
        strides[d] = extent + randomBelow(random, 2) * randomBelow(random, 2500);
        if (mayOverlap && random() % 4 == 0) {
            strides[d] = randomBelow(random, extent);
        }
        extent += (shape.counts[d] - 1) * strides[d];
    }
}

/// The offsets of all bytes of a transfer from `begin` on, in order.
std::vector<std::uint64_t> bytesOf(const DmaTransfer& shape, std::uint64_t begin,
                                   const std::uint32_t (&strides)[3]) {
    std::vector<std::uint64_t> offsets;
    for (std::uint64_t i = 0; i < shape.counts[0]; ++i) {
        for (std::uint64_t j = 0; j < shape.counts[1]; ++j) {
            for (std::uint64_t k = 0; k < shape.counts[2]; ++k) {
                for (std::uint64_t b = 0; b < shape.rowBytes; ++b) {
                    offsets.push_back(begin + i * strides[0] + j * strides[1] + k * strides[2] + b);
                }
            }
        }
    }
    return offsets;
}

/// The number of bytes that lie on another page than the byte before.
std::uint64_t pageChanges(const std::vector<std::uint64_t>& offsets) {
    std::uint64_t changes = 1;
    for (std::size_t i = 1; i < offsets.size(); ++i) {
        changes += offsets[i] / kPage == offsets[i - 1] / kPage ? 0 : 1;
    }
    return changes;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/dma_channel");

TEST_CASE("an undisturbed load takes the closed form and its page walk [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 4096));
        list.add(Engine::kDma0, copyBytes(inRegion(4096), inSram(4096), 6000), {});
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        const auto records = bench.observer.of(Engine::kDma0);
        REQUIRE(records.size() == 2);
        CHECK(cyclesOf(records[0]) == kFixedCycles + 4096 / 4 + kWalkCycles);
        CHECK(records[0].busyCycles == kFixedCycles + 4096 / 4);
        CHECK(records[0].dramStallCycles == 0);
        CHECK(records[0].dramBytes == 4096);
        CHECK(records[0].sramBytes == 4096);
        // 6000 bytes are 94 bursts; the page is known by now.
        CHECK(cyclesOf(records[1]) == kFixedCycles + 94 * 64 / 4);
        CHECK(records[1].startCycle == records[0].endCycle);
    });
}

TEST_CASE("short rows occupy the bus for whole bursts [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma1, copyRows(inRegion(0), inSram(0), 20, 100, 1000, 20));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        // 100 rows over 99020 bytes: two large pages.
        CHECK(cyclesOf(bench.observer.of(Engine::kDma1).at(0)) ==
              kFixedCycles + 100 * 64 / 4 + 2 * kWalkCycles);
    });
}

TEST_CASE("rows are stored according to the strides, in both directions [E-2]") {
    simCase([] {
        CommandList list;
        DmaTransfer load = copyRows(inRegion(100), inSram(50), 24, 5, 100, 32);
        load.counts[1] = 3;
        load.sourceStrides[1] = 1000;
        load.destinationStrides[1] = 200;
        load.counts[0] = 2;
        load.sourceStrides[0] = 5000;
        load.destinationStrides[0] = 1000;
        list.add(Engine::kDma0, load);
        list.add(Engine::kDma2, copyBytes(inSram(0), inRegion(0x100000), 4096),
                 {waitFor(Engine::kDma0, 1)});
        JobBench bench(list);
        fillMemory(bench, 20'000);
        CHECK(bench.runJob() == 0);
        int wrong = 0;
        for (std::uint64_t i = 0; i < 2; ++i) {
            for (std::uint64_t j = 0; j < 3; ++j) {
                for (std::uint64_t k = 0; k < 5; ++k) {
                    for (std::uint64_t b = 0; b < 24; ++b) {
                        const std::uint64_t from = 100 + i * 5000 + j * 1000 + k * 100 + b;
                        const std::uint64_t to = 50 + i * 1000 + j * 200 + k * 32 + b;
                        wrong += *bench.memory.at(JobBench::bus(from)) ==
                                                 *bench.memory.at(JobBench::bus(0x100000 + to))
                                         ? 0
                                         : 1;
                    }
                }
            }
        }
        CHECK(wrong == 0);
        CHECK(*bench.memory.at(JobBench::bus(0x100000 + 49)) == std::byte{0});
        CHECK(*bench.memory.at(JobBench::bus(0x100000 + 50 + 24)) == std::byte{0});
    });
}

TEST_CASE("rows over scattered pages translate each page once per visit [E-2]") {
    simCase([] {
        constexpr std::uint64_t kTransfers = 60;
        constexpr std::uint64_t kOutputs = kRegionBytes / 2;
        std::mt19937 random(20);
        std::vector<std::byte> expected(kRegionBytes);
        std::generate(expected.begin(), expected.end(),
                      [&] { return static_cast<std::byte>(random()); });
        const std::vector<std::byte> before = expected;
        std::uint64_t lookups = 0;
        CommandList list;
        for (std::uint32_t i = 0; i < kTransfers; ++i) {
            const std::uint64_t begin = random() % kPage;
            DmaTransfer load = copyBytes(inRegion(begin, 1), inSram(0), 0);
            load.rowBytes = 1 + randomBelow(random, i % 2 == 0 ? 64 : 3000);
            for (std::uint32_t& count : load.counts) {
                count = 1 + randomBelow(random, 4);
            }
            setRandomStrides(random, load, true, load.sourceStrides);
            setRandomStrides(random, load, false, load.destinationStrides);
            DmaTransfer store = load;
            store.source = inSram(0);
            store.destination = inRegion(kOutputs + random() % kPage, 1);
            std::copy_n(load.destinationStrides, 3, store.sourceStrides);
            setRandomStrides(random, load, false, store.destinationStrides);

            const auto from = bytesOf(load, begin, load.sourceStrides);
            const auto to = bytesOf(store, store.destination.offset, store.destinationStrides);
            REQUIRE(from.back() < kOutputs);
            REQUIRE(to.back() < kRegionBytes);
            for (std::size_t byte = 0; byte < from.size(); ++byte) {
                expected[to[byte]] = expected[from[byte]];
            }
            lookups += pageChanges(from) + pageChanges(to);
            list.add(Engine::kDma0, load, {waitFor(Engine::kDma2, i)});
            list.add(Engine::kDma2, store, {waitFor(Engine::kDma0, i + 1)});
        }
        JobBench bench(list);
        const std::vector<std::uint64_t> places = shufflePages(bench, random);
        const auto place = [&](std::uint64_t offset) {
            return bench.memory.at(JobBench::bus(places[offset / kPage] * kPage + offset % kPage));
        };
        for (std::uint64_t offset = 0; offset < kRegionBytes; ++offset) {
            *place(offset) = before[offset];
        }
        CHECK(bench.runJob() == 0);
        std::uint64_t wrong = 0;
        for (std::uint64_t offset = 0; offset < kRegionBytes; ++offset) {
            wrong += *place(offset) == expected[offset] ? 0 : 1;
        }
        CHECK(wrong == 0);
        CHECK(bench.perf(regs::PerfEvent::kTlbHits) + bench.perf(regs::PerfEvent::kTlbMisses) ==
              lookups);
    });
}

TEST_CASE("a source stride of zero repeats its row [E-2]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyRows(inRegion(10), inSram(0), 8, 4, 0, 8));
        list.add(Engine::kDma2, copyBytes(inSram(0), inRegion(0x10000), 32),
                 {waitFor(Engine::kDma0, 1)});
        JobBench bench(list);
        fillMemory(bench, 100);
        CHECK(bench.runJob() == 0);
        for (std::uint64_t i = 0; i < 32; ++i) {
            CHECK(*bench.memory.at(JobBench::bus(0x10000 + i)) ==
                  *bench.memory.at(JobBench::bus(10 + i % 8)));
        }
    });
}

TEST_CASE("memory to memory crosses the DRAM twice [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma3, copyBytes(inRegion(0), inRegion(0x80000), 8192));
        JobBench bench(list);
        fillMemory(bench, 8192);
        CHECK(bench.runJob() == 0);
        CHECK(cyclesOf(bench.observer.of(Engine::kDma3).at(0)) ==
              kFixedCycles + 8192 / 2 + 2 * kWalkCycles);
        for (std::uint64_t i = 0; i < 8192; i += 511) {
            CHECK(*bench.memory.at(JobBench::bus(0x80000 + i)) ==
                  *bench.memory.at(JobBench::bus(i)));
        }
        CHECK(bench.perf(regs::PerfEvent::kDmaBytesRead) == 8192);
        CHECK(bench.perf(regs::PerfEvent::kDmaBytesWritten) == 8192);
    });
}

TEST_CASE("SRAM to SRAM has neither latency nor bursts [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 4096));
        list.add(Engine::kDma3, copyRows(inSram(0), inSram(0x20000), 20, 64, 40, 20),
                 {waitFor(Engine::kDma0, 1)});
        list.add(Engine::kDma2, copyBytes(inSram(0x20000), inRegion(0x10000), 1280),
                 {waitFor(Engine::kDma3, 1)});
        JobBench bench(list);
        fillMemory(bench, 4096);
        CHECK(bench.runJob() == 0);
        CHECK(cyclesOf(bench.observer.of(Engine::kDma3).at(0)) == 8 + 64 * 20 / 16);
        for (std::uint64_t i = 0; i < 1280; i += 13) {
            CHECK(*bench.memory.at(JobBench::bus(0x10000 + i)) ==
                  *bench.memory.at(JobBench::bus(i / 20 * 40 + i % 20)));
        }
    });
}

TEST_CASE("fills bytes and words, in memory and in SRAM [E-2]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, fillBytes(inRegion(0), 100, 0xA5, 1));
        list.add(Engine::kDma0, fillBytes(inSram(0), 64, 0x11223344, 4));
        list.add(Engine::kDma0, copyBytes(inSram(0), inRegion(200), 64));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        CHECK(*bench.memory.at(JobBench::bus(99)) == std::byte{0xA5});
        CHECK(*bench.memory.at(JobBench::bus(100)) == std::byte{0});
        CHECK(bench.memory.load<std::uint32_t>(JobBench::bus(200)) == 0x11223344);
        CHECK(bench.memory.load<std::uint32_t>(JobBench::bus(260)) == 0x11223344);
        const auto records = bench.observer.of(Engine::kDma0);
        CHECK(cyclesOf(records.at(0)) == kFixedCycles + 128 / 4 + kWalkCycles);
        CHECK(cyclesOf(records.at(1)) == 8 + 64 / 16);
    });
}

TEST_CASE("two channels share the DRAM evenly [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 65536));
        list.add(Engine::kDma1, copyBytes(inRegion(0x10000), inSram(0x20000), 65536));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        const auto first = bench.observer.of(Engine::kDma0).at(0);
        const auto second = bench.observer.of(Engine::kDma1).at(0);
        // Alone each would take 16384 cycles of streaming; both end within two chunks of each
        // other, after twice that.
        CHECK(second.endCycle - first.startCycle >= 2 * 16384);
        CHECK(second.endCycle - first.startCycle < 2 * 16384 + 400);
        CHECK(second.endCycle - first.endCycle <= 2 * 1024);
        CHECK(first.dramStallCycles > 14'000);
        CHECK(second.dramStallCycles > 14'000);
        CHECK(bench.perf(regs::PerfEvent::kDramBusyCycles) >= 2 * 16384);
    });
}

TEST_CASE("with refresh a load still takes the closed form [E-3]") {
    simCase([] {
        NpuConfig config;
        config.dram.refreshIntervalCycles = 4000;
        config.dram.refreshCycles = 200;
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 40'960));
        JobBench bench(list, config);
        CHECK(bench.runJob() == 0);
        // 40,960 bytes at 3.8 a cycle.
        CHECK(cyclesOf(bench.observer.of(Engine::kDma0).at(0)) ==
              kFixedCycles + 10'779 + kWalkCycles);
        CHECK(bench.read(regs::ConfigDramBandwidth::kSpec.offset) == 3891);  // 3.8 * 1024
    });
}

TEST_CASE("short rows far apart open a row of the DRAM each [E-3]") {
    simCase([] {
        NpuConfig config;
        config.dram.bytesPerCycle = 32;
        config.dram.banks = 8;
        config.dram.rowBytes = 512;
        config.dram.rowMissCycles = 36;
        config.dma.bytesPerCycle = 64;
        config.interconnect.bytesPerCycle = 64;
        CommandList list;
        list.add(Engine::kDma0, copyRows(inRegion(0), inSram(0), 64, 100, 600, 64));
        list.add(Engine::kDma0, copyRows(inRegion(0), inSram(0), 64, 100, 64, 64));
        list.add(Engine::kDma0, copyRows(inRegion(0), inRegion(0x8000), 64, 100, 64, 320));
        JobBench bench(list, config);
        CHECK(bench.runJob() == 0);
        const auto records = bench.observer.of(Engine::kDma0);
        REQUIRE(records.size() == 3);
        // 200 cycles of data and 99 misses over 8 banks: 470.5. Side by side they hide.
        CHECK(cyclesOf(records[0]) == kFixedCycles + 471 + kWalkCycles);
        CHECK(cyclesOf(records[1]) == kFixedCycles + 200);
        // Reads as before; writes reach over 31,744 bytes, 62 rows: (200 + 61 * 36) / 8 =
        // 299.5.
        CHECK(cyclesOf(records[2]) == kFixedCycles + 500);
    });
}

TEST_CASE("external load slows a load by its share [E-3]") {
    simCase([] {
        NpuConfig config;
        config.dram.background = 0.5;
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 60'000));
        JobBench bench(list, config);
        CHECK(bench.runJob() == 0);
        const EngineCommandRecord record = bench.observer.of(Engine::kDma0).at(0);
        const std::uint64_t alone = 938 * 64 / 4;
        CHECK(record.busyCycles == kFixedCycles + alone);
        // The same number of cycles goes to others, except those requested while the last chunk
        // (672 cycles) waits for the turns of a whole one (1024) and is transferred.
        CHECK(static_cast<double>(record.dramStallCycles) ==
              doctest::Approx(15'008.0 - (672 + 1024)).epsilon(0.02));
    });
}

TEST_CASE("a transfer outside its region stops the engines [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(kRegionBytes - 100), inSram(0), 101));
        JobBench bench(list);
        const std::uint32_t error = bench.runJob();
        CHECK(JobBench::statusOf(error) == JobStatus::kOutOfRegion);
        CHECK(regs::EngineError::kEngine.get(error) == static_cast<std::uint32_t>(Engine::kDma0));
    });
}

TEST_CASE("offsets that overflow are outside the region [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(~0ULL - 50), inSram(0), 101));
        JobBench bench(list);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kOutOfRegion);
    });
}

TEST_CASE("a transfer past the SRAM stops the engines [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(512 * 1024 - 4), 8));
        JobBench bench(list);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kOutOfSram);
    });
}

TEST_CASE("an unknown region stops the engines [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0, 64), inSram(0), 8));
        JobBench bench(list);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kBadRegion);
    });
}

TEST_CASE("a command of another engine is refused [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, clampBytes(0, 100, 10));
        JobBench bench(list);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kBadEngine);
    });
}

TEST_CASE("a page without memory behind it is a bus error [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0x1000, 1), inSram(0), 64));
        JobBench bench(list);
        bench.map(JobBench::smallPagesVa() + 0x1000, MemoryTarget::kBase + (1ULL << 32), 4096);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kBusError);
    });
}

TEST_CASE("without direct pointers the same bytes move in the same time [E-2]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(5), inSram(3), 10'000));
        list.add(Engine::kDma2, copyBytes(inSram(3), inRegion(0x20001), 10'000),
                 {waitFor(Engine::kDma0, 1)});
        JobBench bench(list);
        bench.memory.setGrantsPointers(false);
        fillMemory(bench, 11'000);
        CHECK(bench.runJob() == 0);
        CHECK(bench.memory.transports() > 0);
        for (std::uint64_t i = 0; i < 10'000; i += 97) {
            CHECK(*bench.memory.at(JobBench::bus(0x20001 + i)) ==
                  *bench.memory.at(JobBench::bus(5 + i)));
        }
        CHECK(cyclesOf(bench.observer.of(Engine::kDma0).at(0)) ==
              kFixedCycles + 157 * 64 / 4 + kWalkCycles);
    });
}

TEST_CASE("accumulators are saved to memory and restored [Q-3]") {
    simCase([] {
        const MemoryRef accumulators{kSpaceAccumulators, 0, 0, 256};
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(5), accumulators, 4000));
        list.add(Engine::kDma2, copyBytes(accumulators, inRegion(0x20001), 4000),
                 {waitFor(Engine::kDma0, 1)});
        JobBench bench(list);
        fillMemory(bench, 5000);
        CHECK(bench.runJob() == 0);
        for (std::uint64_t i = 0; i < 4000; ++i) {
            REQUIRE(*bench.memory.at(JobBench::bus(0x20001 + i)) ==
                    *bench.memory.at(JobBench::bus(5 + i)));
        }
        // 4000 bytes are 63 bursts; no bank of the SRAM takes part.
        const EngineCommandRecord load = bench.observer.of(Engine::kDma0).at(0);
        CHECK(cyclesOf(load) == kFixedCycles + 63 * 64 / 4 + kWalkCycles);
        CHECK(load.sramBytes == 0);
        CHECK(load.dramBytes == 4000);
    });
}

TEST_CASE("transfers between SRAM and accumulators run at the rate of the narrowest port [Q-3]") {
    simCase([] {
        NpuConfig config;
        config.mac.outputLanes = 2;  // 8 bytes a cycle, half of the channel
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inSram(0), MemoryRef{kSpaceAccumulators, 0, 0, 0}, 4096));
        JobBench bench(list, config);
        CHECK(bench.runJob() == 0);
        CHECK(cyclesOf(bench.observer.of(Engine::kDma0).at(0)) == 8 + 4096 / 8);
    });
}

TEST_CASE("transfers beyond the accumulators are refused [E-7]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0,
                 copyBytes(MemoryRef{kSpaceAccumulators, 0, 0, 64 * 1024 - 15}, inRegion(0), 16));
        JobBench bench(list);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kOutOfAccumulator);
    });
}

TEST_CASE("a copy within the accumulators is refused [E-7]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(MemoryRef{kSpaceAccumulators, 0, 0, 0},
                                          MemoryRef{kSpaceAccumulators, 0, 0, 64}, 16));
        JobBench bench(list);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kBadOperand);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
