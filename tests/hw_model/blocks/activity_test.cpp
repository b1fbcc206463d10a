// SPDX-License-Identifier: Apache-2.0
// The device's counters for energy, compared with counts calculated by hand from shapes.
#include <doctest/doctest.h>

#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;
using regs::PerfEvent;

constexpr std::uint32_t kInputSram = 0x00000;  // one bank each
constexpr std::uint32_t kFilterSram = 0x10000;
constexpr std::uint32_t kResultSram = 0x20000;

/// Inputs and filters to SRAM, a product of 64 x 32 sums over 40, a clamp, and the result back.
CommandList productOnData() {
    CommandList list;
    list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(kInputSram), 64 * 40));
    list.add(Engine::kDma1, copyRows(inRegion(0x8000), inSram(kFilterSram), 40, 32, 80, 40));
    list.add(Engine::kMac, gemm(64, 32, 40, kInputSram, kFilterSram, kResultSram),
             {waitFor(Engine::kDma0, 1), waitFor(Engine::kDma1, 1)});
    list.add(Engine::kVector, clampBytes(kResultSram, kResultSram + 0x1000, 64 * 32),
             {waitFor(Engine::kMac, 1)});
    list.add(Engine::kDma2, copyBytes(inSram(kResultSram + 0x1000), inRegion(0x10000), 64 * 32),
             {waitFor(Engine::kVector, 1)});
    return list;
}

void checkProductOnData(JobBench& bench) {
    CHECK(bench.runJob() == 0);
    CHECK(bench.perf(PerfEvent::kMacProducts8) == 64 * 32 * 40);
    CHECK(bench.perf(PerfEvent::kMacProductsFloat) == 0);
    CHECK(bench.perf(PerfEvent::kOutputStageOps8) == 64 * 32 * 4);
    // Folds of 16, 16 and 8 on 16 rows: three times written, twice read, once drained.
    CHECK(bench.perf(PerfEvent::kAccumulatorBytes) == 64 * 32 * 4 * 6);
    CHECK(bench.perf(PerfEvent::kVectorOps8) == 64 * 32);
    const std::uint64_t loaded = 64 * 40 + 32 * 40;
    const std::uint64_t array = 2 * 64 * 40 + 40 * 32 + 64 * 32;  // inputs once per 16 columns
    const std::uint64_t clamp = 2 * 64 * 32;
    CHECK(bench.perf(PerfEvent::kSramBytes) == loaded + array + clamp + 64 * 32);
    CHECK(bench.perf(PerfEvent::kResidentBytes) == 0);
    // Rows of 40 bytes take a burst of 64 each.
    CHECK(bench.perf(PerfEvent::kBusBytes) == 64 * 40 + 32 * 64 + 64 * 32);
    CHECK(bench.perf(PerfEvent::kDspOps8) + bench.perf(PerfEvent::kDspCoreCycles) == 0);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/activity");

TEST_CASE("the counters agree with the commands' shapes [E-6]") {
    simCase([] {
        JobBench bench(productOnData());
        checkProductOnData(bench);
        Activity sum;
        for (const EngineCommandRecord& record : bench.observer.commands) {
            sum += record.activity;
        }
        CHECK(bench.perf(PerfEvent::kSramBytes) == sum[PerfEvent::kSramBytes]);
        CHECK(bench.perf(PerfEvent::kBusBytes) == sum[PerfEvent::kBusBytes]);
    });
}

TEST_CASE("timing-only mode counts the same [E-3] [E-6]") {
    simCase([] {
        NpuConfig config;
        config.timingOnly = true;
        JobBench bench(productOnData(), config);
        checkProductOnData(bench);
    });
}

TEST_CASE("memory to memory crosses the bus twice, a fill once [E-6]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inRegion(0x8000), 1000));
        list.add(Engine::kDma0, fillBytes(inRegion(0x10000), 640, 7, 1));
        list.add(Engine::kDma0, copyBytes(inSram(kInputSram), inSram(kFilterSram), 100));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        CHECK(bench.perf(PerfEvent::kBusBytes) == 2 * 1024 + 640);
        CHECK(bench.perf(PerfEvent::kSramBytes) == 2 * 100);
    });
}

TEST_CASE("saving accumulators counts their bytes [Q-3] [E-6]") {
    simCase([] {
        MemoryRef sums{};
        sums.space = kSpaceAccumulators;
        CommandList list;
        list.add(Engine::kDma0, copyBytes(sums, inRegion(0), 256));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        CHECK(bench.perf(PerfEvent::kAccumulatorBytes) == 256);
        CHECK(bench.perf(PerfEvent::kSramBytes) == 0);
        CHECK(bench.perf(PerfEvent::kBusBytes) == 256);
    });
}

TEST_CASE("the controller counts core cycles and its bytes over the bus [E-6]") {
    simCase([] {
        DeviceBench::Options options;
        options.config.power.level1Khz = options.config.clockKhz / 2;
        options.script = [](ControllerPort& port) {
            port.charge(1000);
            port.write32(regs::ClockLevel::kSpec.offset, 1);
            port.charge(500);
            std::byte byte{};
            port.readMemory(ControllerPort::kPhysical, MemoryTarget::kBase, {&byte, 1});
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(10'000);
        // A register write of 2 cycles, and two more accesses before it sleeps; the read takes
        // 100 device cycles of latency and 16 for its burst, 58 of the slow core, and 4 of the
        // interconnect.
        CHECK(bench.perf(PerfEvent::kControllerCoreCycles) == 1000 + 2 + 500 + 4 + 58 + 4);
        CHECK(bench.perf(PerfEvent::kControllerCycles) == 1000 + 2 + 2 * 500 + 8 + 116 + 8);
        CHECK(bench.perf(PerfEvent::kControllerBusBytes) == 64);
        CHECK(bench.perf(PerfEvent::kBusBytes) == 0);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
