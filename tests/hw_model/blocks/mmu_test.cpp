// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/mmu.h"

#include <doctest/doctest.h>

#include <array>

#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;
using FaultInfo = regs::MmuFaultInfo;

std::uint64_t faultAddress(JobBench& bench) {
    return bench.read(regs::MmuFaultAddressLo::kSpec.offset) |
           (std::uint64_t{bench.read(regs::MmuFaultAddressHi::kSpec.offset)} << 32);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/mmu");

TEST_CASE("small pages miss once each, then hit [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inSram(0), 3 * 4096));
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inSram(0), 3 * 4096));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        CHECK(bench.perf(regs::PerfEvent::kTlbMisses) == 3);
        CHECK(bench.perf(regs::PerfEvent::kTlbHits) == 3);
        CHECK(bench.observer.misses ==
              std::vector<std::uint64_t>{JobBench::smallPagesVa(),
                                         JobBench::smallPagesVa() + 0x1000,
                                         JobBench::smallPagesVa() + 0x2000});
        const auto records = bench.observer.of(Engine::kDma0);
        const std::uint64_t first = records.at(0).endCycle - records.at(0).startCycle;
        const std::uint64_t second = records.at(1).endCycle - records.at(1).startCycle;
        CHECK(first == second + 3 * kWalkCycles);
    });
}

TEST_CASE("a large page needs one entry for 64 KiB [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 65536));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        CHECK(bench.perf(regs::PerfEvent::kTlbMisses) == 1);
    });
}

TEST_CASE("more pages than entries miss again [E-3]") {
    simCase([] {
        NpuConfig config;
        config.mmu.tlbEntries = 2;
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inSram(0), 3 * 4096));
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inSram(0), 3 * 4096));
        JobBench bench(list, config);
        CHECK(bench.runJob() == 0);
        CHECK(bench.perf(regs::PerfEvent::kTlbMisses) == 6);
    });
}

TEST_CASE("a contiguous region may be scattered over memory [E-2]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(100, 1), inSram(0), 8192));
        list.add(Engine::kDma2, copyBytes(inSram(0), inRegion(0x100000), 8192),
                 {waitFor(Engine::kDma0, 1)});
        JobBench bench(list);
        bench.map(JobBench::smallPagesVa(), JobBench::bus(0x9000), 4096);
        bench.map(JobBench::smallPagesVa() + 0x1000, JobBench::bus(0x3000), 4096);
        bench.map(JobBench::smallPagesVa() + 0x2000, JobBench::bus(0x7000), 4096);
        for (std::uint64_t i = 0; i < 0x10000; i += 4) {
            bench.memory.store(JobBench::bus(i), static_cast<std::uint32_t>(i));
        }
        CHECK(bench.runJob() == 0);
        CHECK(bench.memory.load<std::uint32_t>(JobBench::bus(0x100000)) == 0x9000 + 100);
        CHECK(bench.memory.load<std::uint32_t>(JobBench::bus(0x100000 + 4096 - 100)) == 0x3000);
        CHECK(bench.memory.load<std::uint32_t>(JobBench::bus(0x100000 + 8192 - 100)) == 0x7000);
    });
}

TEST_CASE("an unmapped page is recorded and stops the engines [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma1, copyBytes(inRegion(0, 1), inSram(0), 3 * 4096));
        JobBench bench(list);
        // The entry of the second page becomes invalid.
        bench.unmap(JobBench::smallPagesVa() + 0x1000);
        const std::uint32_t error = bench.runJob();
        CHECK(JobBench::statusOf(error) == JobStatus::kMmuFault);
        CHECK(regs::EngineError::kEngine.get(error) == 1);
        const std::uint32_t info = bench.read(FaultInfo::kSpec.offset);
        CHECK(FaultInfo::kValid.get(info) == 1);
        CHECK(FaultInfo::kWrite.get(info) == 0);
        CHECK(FaultInfo::kPermission.get(info) == 0);
        CHECK(FaultInfo::kContext.get(info) == kContext);
        CHECK(FaultInfo::kEngine.get(info) == 1);
        CHECK(faultAddress(bench) == JobBench::smallPagesVa() + 0x1000);
        CHECK(bench.read(regs::IrqStatus::kSpec.offset) == regs::IrqStatus::kFault.mask());
    });
}

TEST_CASE("a write to a read-only page is a permission fault and moves nothing [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma2, fillBytes(inRegion(0, 1), 8192, 0xFF, 1));
        JobBench bench(list);
        bench.map(JobBench::smallPagesVa() + 0x1000, JobBench::bus(0x1000), 4096, false);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kMmuFault);
        const std::uint32_t info = bench.read(FaultInfo::kSpec.offset);
        CHECK(FaultInfo::kWrite.get(info) == 1);
        CHECK(FaultInfo::kPermission.get(info) == 1);
        CHECK(*bench.memory.at(JobBench::bus(0)) == std::byte{0});
    });
}

TEST_CASE("a cached translation does not permit a write [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inSram(0), 64));
        list.add(Engine::kDma2, fillBytes(inRegion(0, 1), 64, 0xFF, 1),
                 {waitFor(Engine::kDma0, 1)});
        JobBench bench(list);
        bench.map(JobBench::smallPagesVa(), JobBench::bus(0), 4096, false);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kMmuFault);
        CHECK(bench.perf(regs::PerfEvent::kTlbMisses) == 1);
        CHECK(FaultInfo::kPermission.get(bench.read(FaultInfo::kSpec.offset)) == 1);
        CHECK(*bench.memory.at(JobBench::bus(0)) == std::byte{0});
    });
}

TEST_CASE("reading a read-only page is allowed [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inSram(0), 4096));
        JobBench bench(list);
        bench.map(JobBench::smallPagesVa(), JobBench::bus(0), 4096, false);
        CHECK(bench.runJob() == 0);
    });
}

TEST_CASE("the first fault stays until it is released [E-1]") {
    simCase([] {
        std::array<JobStatus, 2> results{};
        DeviceBench* device = nullptr;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            device->setRoot(port);
            std::array<std::byte, 16> bytes{};
            results[0] = port.readMemory(kContext, 0x1000, bytes);
            results[1] = port.writeMemory(kContext, 0x2000, bytes);
        };
        DeviceBench bench(std::move(options));
        device = &bench;
        bench.boot();
        bench.run(2000);
        CHECK(results[0] == JobStatus::kMmuFault);
        CHECK(results[1] == JobStatus::kMmuFault);
        CHECK(bench.read(regs::MmuFaultAddressLo::kSpec.offset) == 0x1000);
        CHECK(FaultInfo::kEngine.get(bench.read(FaultInfo::kSpec.offset)) ==
              static_cast<std::uint32_t>(Engine::kController));
        bench.write(FaultInfo::kSpec.offset, 0);
        CHECK(bench.read(FaultInfo::kSpec.offset) == 0);
    });
}

TEST_CASE("addresses beyond 39 bits and contexts without a root fault [E-1]") {
    simCase([] {
        std::array<JobStatus, 3> results{};
        DeviceBench* device = nullptr;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            device->setRoot(port);
            std::array<std::byte, 16> bytes{};
            results[0] = port.readMemory(kContext, kVirtualAddressLimit, bytes);
            results[1] = port.readMemory(kContext + 1, 0, bytes);
            results[2] = port.readMemory(regs::kContextCount, 0, bytes);
        };
        DeviceBench bench(std::move(options));
        device = &bench;
        bench.boot();
        bench.run(2000);
        for (const JobStatus result : results) {
            CHECK(result == JobStatus::kMmuFault);
        }
    });
}

TEST_CASE("a changed table is seen after MMU_INVALIDATE, not before [E-1]") {
    simCase([] {
        std::array<std::uint32_t, 3> words{};
        DeviceBench* device = nullptr;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            device->setRoot(port);
            const auto load = [&](std::uint32_t& word) {
                CHECK(port.readMemory(kContext, 0x5000,
                                      std::as_writable_bytes(std::span(&word, 1))) ==
                      JobStatus::kOk);
            };
            load(words[0]);
            device->map(0x5000, MemoryTarget::kBase + 0x2000, 4096);
            load(words[1]);
            port.write32(regs::MmuInvalidate::kSpec.offset,
                         regs::MmuInvalidate::kContext.put(kContext));
            load(words[2]);
        };
        DeviceBench bench(std::move(options));
        device = &bench;
        bench.map(0x5000, MemoryTarget::kBase + 0x1000, 4096);
        bench.memory.store(MemoryTarget::kBase + 0x1000, 0x11111111U);
        bench.memory.store(MemoryTarget::kBase + 0x2000, 0x22222222U);
        bench.boot();
        bench.run(5000);
        CHECK(words[0] == 0x11111111);
        CHECK(words[1] == 0x11111111);
        CHECK(words[2] == 0x22222222);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
