// SPDX-License-Identifier: Apache-2.0
// The device with a DRAM that is modeled bank by bank.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw_model/timing/memory_timing.h"
#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;
using regs::PerfEvent;

/// The default device, 4 bytes per cycle; bursts of 32 bytes in 8 cycles.
NpuConfig bankedDevice() {
    NpuConfig config;
    config.dram.model = DramModel::kBanked;
    config.dram.banks = 8;
    config.dram.rowBytes = 2048;
    config.dram.bank.tRcdCycles = 10;
    config.dram.bank.tRpCycles = 12;
    config.dram.bank.tClCycles = 11;
    config.dram.bank.tCwlCycles = 7;
    config.dram.bank.tRasCycles = 25;
    config.dram.bank.tRtpCycles = 6;
    config.dram.bank.tWrCycles = 13;
    config.dram.bank.tWtrCycles = 8;
    config.dram.bank.tRtwCycles = 14;
    return config;
}

constexpr std::uint64_t kPath = 100 + 4;  // latencies to and from the DRAM's pins
constexpr std::uint64_t kDecode = 8;

std::vector<std::uint64_t> durationsOf(const JobBench& bench) {
    std::vector<std::uint64_t> cycles;
    for (const EngineCommandRecord& record : bench.observer.commands) {
        cycles.push_back(cyclesOf(record));
    }
    return cycles;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/banked_device");

TEST_CASE("a load of an open row takes its closed form [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 64));
        list.add(Engine::kDma0, copyBytes(inRegion(64), inSram(0), 640));
        JobBench bench(list, bankedDevice());
        CHECK(bench.runJob() == 0);
        const auto records = bench.observer.of(Engine::kDma0);
        // tCL and the bursts.
        CHECK(cyclesOf(records.at(1)) == kDecode + kPath + 11 + 640 / 32 * 8);
        // Busy is what the pins need at least; the rest of the time was lost to the DRAM.
        CHECK(records.at(1).busyCycles == kDecode + kPath + 640 / 4);
        CHECK(records.at(1).dramStallCycles == 11);
    });
}

TEST_CASE("rows of one bank take longer than rows of all banks [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyRows(inRegion(0), inSram(0), 64, 32, 8 * 2048, 64));
        list.add(Engine::kDma0, copyRows(inRegion(0), inSram(0), 64, 32, 2048, 64));
        JobBench bench(list, bankedDevice());
        CHECK(bench.runJob() == 0);
        const auto records = bench.observer.of(Engine::kDma0);
        // tRCD + a burst + tRTP + tRP for each row after the first.
        CHECK(cyclesOf(records.at(0)) >= 31 * (10 + 8 + 6 + 12));
        CHECK(cyclesOf(records.at(1)) <= kDecode + kPath + 12 + 10 + 11 + 32 * 16 + 12);
        CHECK(bench.perf(PerfEvent::kDramRowConflicts) >= 31);
    });
}

TEST_CASE("page walks read lines of tables from DRAM, once while they are cached [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inSram(0), 65'536));
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inSram(0), 65'536));
        JobBench bench(list, bankedDevice());
        CHECK(bench.runJob() == 0);
        CHECK(bench.perf(PerfEvent::kTlbMisses) == 16);
        // A line of 64 bytes for each of the two upper levels, two lines for 16 entries.
        CHECK(bench.perf(PerfEvent::kPageTableReads) == 4);
        const auto records = bench.observer.of(Engine::kDma0);
        const std::uint64_t walks = cyclesOf(records.at(0)) - cyclesOf(records.at(1));
        // The walker's own cycles, and for each read the path and a row that is closed or not.
        CHECK(walks >= 16 * kWalkCycles + 4 * (kPath + 11 + 8));
        CHECK(walks <= 16 * kWalkCycles + 4 * (kPath + 12 + 10 + 11 + 8) + 40);
    });
}

TEST_CASE("a larger cache line or an invalidation changes the reads [E-3]") {
    simCase([] {
        DeviceBench* device = nullptr;
        DeviceBench::Options options;
        options.config = bankedDevice();
        std::vector<std::uint64_t> took;
        options.script = [&](ControllerPort& port) {
            device->setRoot(port);
            std::array<std::byte, 16> bytes{};
            const auto read = [&](std::uint64_t address) {
                const std::uint32_t begin = cycleOf(port);
                CHECK(port.readMemory(kContext, address, bytes) == JobStatus::kOk);
                took.push_back(cycleOf(port) - begin);
            };
            read(kRegionVa);
            read(kRegionVa + 0x1000);  // its entry is in the same line
            port.write32(regs::MmuInvalidate::kSpec.offset, regs::MmuInvalidate::kAll.mask());
            read(kRegionVa + 0x1000);
        };
        DeviceBench bench(std::move(options));
        device = &bench;
        bench.map(kRegionVa, MemoryTarget::kBase, 0x10000);
        bench.boot();
        bench.run(20'000);
        REQUIRE(took.size() == 3);
        CHECK(bench.perf(PerfEvent::kPageTableReads) == 6);
        CHECK(took[0] > took[1] + 3 * kPath);
        CHECK(took[2] > took[1] + 3 * kPath);
    });
}

TEST_CASE("walks of one transfer delay another's data [E-3]") {
    simCase([] {
        CommandList stream;
        stream.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 65'536));
        // Until the other channel has done its own walks.
        stream.add(Engine::kDma1, copyBytes(inRegion(0, 1), inSram(0x20000), 4096));
        CommandList both = stream;
        both.add(Engine::kDma1, copyBytes(inRegion(0x100000, 1), inSram(0x20000), 1));
        JobBench alone(stream, bankedDevice(), "alone");
        JobBench disturbed(both, bankedDevice(), "disturbed");
        CHECK(alone.runJob() == 0);
        CHECK(disturbed.runJob() == 0);
        const std::uint64_t tables =
                disturbed.perf(PerfEvent::kPageTableReads) - alone.perf(PerfEvent::kPageTableReads);
        CHECK(tables >= 1);
        // They and the data are a burst each at least.
        CHECK(cyclesOf(disturbed.observer.of(Engine::kDma0).at(0)) >=
              cyclesOf(alone.observer.of(Engine::kDma0).at(0)) + (tables + 1) * 8);
    });
}

TEST_CASE("timing-only mode takes exactly the times of the full device [E-3]") {
    simCase([] {
        NpuConfig config = bankedDevice();
        JobBench full(tileStream(6, inRegion(0x40000, 1), 21'024), config, "full");
        config.timingOnly = true;
        JobBench timing(tileStream(6, inRegion(0x40000, 1), 21'024), config, "timing");
        CHECK(full.runJob() == 0);
        CHECK(timing.runJob() == 0);
        CHECK(durationsOf(full) == durationsOf(timing));
        for (const PerfEvent event : {PerfEvent::kDramRowHits, PerfEvent::kDramRowMisses,
                                      PerfEvent::kDramRowConflicts, PerfEvent::kPageTableReads}) {
            CHECK(full.perf(event) == timing.perf(event));
        }
    });
}

TEST_CASE("registers report the bandwidth and the latency of a stream [MD-1]") {
    simCase([] {
        NpuConfig config = bankedDevice();
        config.dram.refreshIntervalCycles = 4000;
        config.dram.refreshCycles = 178;
        JobBench bench(CommandList(), config);
        // 4 bytes per cycle less (178 + 12 + 10) / 4000.
        CHECK(bench.read(regs::ConfigDramBandwidth::kSpec.offset) == 3891);
        CHECK(bench.read(regs::ConfigDramLatency::kSpec.offset) == 100 + 10 + 11);
    });
}

TEST_CASE("with the flat model no table is read from DRAM and no row is counted [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inSram(0), 65'536));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        CHECK(bench.perf(PerfEvent::kPageTableReads) == 0);
        CHECK(bench.perf(PerfEvent::kDramRowHits) == 0);
        CHECK(bench.perf(PerfEvent::kDramRowMisses) == 0);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
