// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/base/fault_injector.h"

#include <doctest/doctest.h>

#include <bit>
#include <utility>

#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

/// Loads two pieces, applies a vector operation to the first and stores its result.
CommandList loadClampStore() {
    CommandList list;
    list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 4096));
    list.add(Engine::kDma0, copyBytes(inRegion(4096), inSram(8192), 4096));
    list.add(Engine::kVector, clampBytes(0, 4096, 4096), {waitFor(Engine::kDma0, 1)});
    list.add(Engine::kDma2, copyBytes(inSram(4096), inRegion(65536), 4096),
             {waitFor(Engine::kVector, 1)});
    return list;
}

struct FaultyBench {
    explicit FaultyBench(const FaultSpec& spec, CommandList list = loadClampStore())
        : bench(std::move(list), {}, "bench", &faults) {
        faults.arm(spec);
    }
    FaultInjector faults{1};
    JobBench bench;
};

EngineCommand commandOf(Engine engine, std::uint32_t index) {
    EngineCommand command;
    command.header.opcode = Opcode::kVecUnary;
    command.record.engine = engine;
    command.record.index = index;
    command.record.operation = index;
    return command;
}

/// The indices among the first `count` commands that get a fault.
std::vector<std::uint32_t> struckOf(FaultInjector& faults, std::uint32_t count) {
    std::vector<std::uint32_t> struck;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (faults.startCommand(100 + i, commandOf(Engine::kVector, i))) {
            struck.push_back(i);
        }
    }
    return struck;
}

/// Raises the heartbeat every hundred cycles, until it hangs.
void beat(ControllerPort& port) {
    for (int i = 0; i < 100; ++i) {
        port.charge(100);
        port.write32(regs::HeartbeatTick::kSpec.offset, 1);
    }
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/fault_injector");

TEST_CASE("counts, times and jobs select the opportunity [E-7]") {
    using Struck = std::vector<std::uint32_t>;
    FaultInjector faults;
    faults.arm({.kind = FaultKind::kEngineHang, .skip = 2});
    CHECK(struckOf(faults, 5) == Struck{2});
    faults.arm({.kind = FaultKind::kEngineHang, .atCycle = 103, .times = 2});
    CHECK(struckOf(faults, 6) == Struck{3, 4});
    faults.arm({.kind = FaultKind::kEngineHang, .engine = Engine::kMac});
    CHECK(struckOf(faults, 5).empty());
    faults.disarm(2);
    faults.arm({.kind = FaultKind::kEngineHang, .operation = 4, .times = 0});
    CHECK(struckOf(faults, 6) == Struck{4});
    faults.disarm(3);
    faults.arm({.kind = FaultKind::kEngineHang, .job = 2});
    CHECK(struckOf(faults, 2).empty());
    faults.jobStarted(8);
    CHECK(struckOf(faults, 2).empty());
    faults.jobStarted(9);
    CHECK(struckOf(faults, 2) == Struck{0});
    REQUIRE(faults.injected().size() == 5);
    CHECK(faults.injected()[4].jobId == 9);
    CHECK(faults.injected()[4].engine == Engine::kVector);
}

TEST_CASE("random faults depend on the seed [E-4]") {
    const auto struckWith = [](std::uint64_t seed) {
        FaultInjector faults(seed);
        faults.arm({.kind = FaultKind::kEngineHang, .chance = 0.25, .times = 0});
        return struckOf(faults, 1000);
    };
    CHECK(struckWith(1) == struckWith(1));
    CHECK(struckWith(1) != struckWith(2));
    CHECK(struckWith(3).size() > 180);
    CHECK(struckWith(3).size() < 320);
}

TEST_CASE("a transfer that fails stops the engines with a bus error [E-7]") {
    simCase([] {
        FaultyBench faulty({.kind = FaultKind::kDmaError, .engine = Engine::kDma0, .skip = 1});
        const std::uint32_t error = faulty.bench.runJob();
        CHECK(JobBench::statusOf(error) == JobStatus::kBusError);
        CHECK(regs::EngineError::kEngine.get(error) == 0);
        CHECK(faulty.bench.observer.of(Engine::kDma0).size() == 1);
        CHECK(faulty.bench.observer.of(Engine::kDma2).empty());
        REQUIRE(faulty.faults.injected().size() == 1);
        CHECK(faulty.faults.injected()[0].command == 1);
    });
}

TEST_CASE("a flipped bit is corrected and counted [E-7]") {
    simCase([] {
        FaultyBench faulty({.kind = FaultKind::kSramBitFlip});
        CHECK(faulty.bench.runJob() == 0);
        CHECK(faulty.bench.perf(regs::PerfEvent::kEccCorrected) == 1);
        CHECK(faulty.bench.perf(regs::PerfEvent::kEccDetected) == 0);
        CHECK(faulty.faults.injected().at(0).engine == Engine::kVector);  // the first to read
    });
}

TEST_CASE("two flipped bits are an error of the engine that reads them [E-7]") {
    simCase([] {
        FaultyBench faulty({.kind = FaultKind::kDramDoubleFlip});
        const std::uint32_t error = faulty.bench.runJob();
        CHECK(JobBench::statusOf(error) == JobStatus::kEccError);
        CHECK(regs::EngineError::kEngine.get(error) == 0);
        CHECK(faulty.bench.perf(regs::PerfEvent::kEccDetected) == 1);
    });
}

TEST_CASE("a translation that fails is an MMU fault with its record [E-7]") {
    simCase([] {
        FaultyBench faulty({.kind = FaultKind::kMmuFault, .engine = Engine::kDma2});
        CHECK(JobBench::statusOf(faulty.bench.runJob()) == JobStatus::kMmuFault);
        const std::uint32_t info = faulty.bench.read(regs::MmuFaultInfo::kSpec.offset);
        CHECK(regs::MmuFaultInfo::kEngine.get(info) == 2);
        CHECK(regs::MmuFaultInfo::kWrite.get(info) == 1);
        CHECK(faulty.bench.read(regs::MmuFaultAddressLo::kSpec.offset) == 65536);
    });
}

TEST_CASE("an engine that hangs makes no progress until it is aborted [E-7]") {
    simCase([] {
        for (const FaultKind kind : {FaultKind::kEngineHang}) {
            FaultInjector faults;
            faults.arm({.kind = kind, .engine = Engine::kDma0});
            std::vector<std::uint32_t> progress;
            DeviceBench* device = nullptr;
            DeviceBench::Options options;
            options.faults = &faults;
            options.script = [&](ControllerPort& port) {
                device->setRoot(port);
                startJob(port, {{kRegionVa, kRegionBytes}, {}});
                CommandList list;
                list.add(Engine::kDma0, fillBytes(inSram(0), 64, 0, 1));
                pushAll(port, list);
                for (const std::uint32_t cycles : {4U, 5000U, 5000U}) {
                    port.charge(cycles);
                    progress.push_back(port.read32(regs::EngineProgress::kSpec.at(0)));
                }
                CHECK(port.read32(regs::EngineTokens::kSpec.at(0)) == 0);
                port.write32(regs::EngineAbort::kSpec.offset, 1);
                progress.push_back(port.read32(regs::EngineProgress::kSpec.at(0)));
            };
            DeviceBench bench(std::move(options));
            device = &bench;
            bench.map(kRegionVa, MemoryTarget::kBase, kRegionBytes, true, true);
            bench.boot();
            bench.run(50'000);
            REQUIRE(progress.size() == 4);
            CHECK(regs::EngineProgress::kBusy.get(progress[0]) == 1);
            CHECK(progress[1] != progress[0]);  // it moved until its end was due
            CHECK(progress[2] == progress[1]);
            CHECK(progress[3] == 0);
        }
    });
}

TEST_CASE("an engine that is stuck recovers only when the device is reset [E-7]") {
    simCase([] {
        FaultInjector faults;
        faults.arm({.kind = FaultKind::kEngineStuck});
        std::vector<std::uint32_t> status;
        DeviceBench::Options options;
        options.faults = &faults;
        options.script = [&](ControllerPort& port) {
            startJob(port, {});
            CommandList list;
            list.add(Engine::kDma0, fillBytes(inSram(0), 64, 0, 1));
            pushAll(port, list);
            port.charge(5000);
            port.write32(regs::EngineAbort::kSpec.offset, 1);
            status.push_back(port.read32(regs::Status::kSpec.offset));
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(50'000);
        bench.write(regs::Control::kSpec.offset, 1);
        bench.run(50'000);
        bench.boot();
        bench.run(50'000);
        REQUIRE(status.size() == 2);
        CHECK(regs::Status::kBusy.get(status[0]) == 1);
        CHECK(regs::Status::kBusy.get(status[1]) == 0);
    });
}

TEST_CASE("a slowed engine takes longer by its factor and computes the same [E-7]") {
    simCase([] {
        FaultyBench faulty({.kind = FaultKind::kEngineSlow,
                            .engine = Engine::kVector,
                            .factor = 3,
                            .lastingCycles = 1'000'000});
        *faulty.bench.memory.at(JobBench::bus(17)) = std::byte{42};
        CHECK(faulty.bench.runJob() == 0);
        const auto record = faulty.bench.observer.of(Engine::kVector).at(0);
        CHECK(record.endCycle - record.startCycle ==
              3 * (record.busyCycles + record.sramStallCycles));
        CHECK(*faulty.bench.memory.at(JobBench::bus(65536 + 17)) == std::byte{42});
    });
}

TEST_CASE(
        "a slowed operation takes longer by its factor on every engine, and no other does [E-7]") {
    FaultInjector faults;
    faults.arm({.kind = FaultKind::kEngineSlow,
                .operation = 4,
                .factor = 1.1,
                .lastingCycles = 1'000});
    CHECK(faults.slowdown(100, Engine::kVector, 4) == 1.0);  // not struck yet
    CHECK_FALSE(faults.startCommand(100, commandOf(Engine::kVector, 3)));
    CHECK(faults.slowdown(101, Engine::kVector, 4) == 1.0);
    CHECK_FALSE(faults.startCommand(102, commandOf(Engine::kVector, 4)));
    CHECK(faults.slowdown(103, Engine::kVector, 4) == 1.1);
    CHECK(faults.slowdown(103, Engine::kMac, 4) == 1.1);
    CHECK(faults.slowdown(103, Engine::kVector, 3) == 1.0);
    CHECK(faults.slowdown(1'102, Engine::kVector, 4) == 1.0);
}

TEST_CASE("a fraction of a command's time is rounded to the nearest cycle [E-7]") {
    simCase([] {
        FaultyBench faulty({.kind = FaultKind::kEngineSlow,
                            .engine = Engine::kVector,
                            .factor = 1.3,
                            .lastingCycles = 1'000'000});
        CHECK(faulty.bench.runJob() == 0);
        const auto record = faulty.bench.observer.of(Engine::kVector).at(0);
        const std::uint64_t usual = record.busyCycles + record.sramStallCycles;
        CHECK(record.endCycle - record.startCycle == usual + (usual * 3 + 5) / 10);
    });
}

TEST_CASE("array and output stage are each slowed by their own time [E-7]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kMac, gemm(64, 32, 32, 0, 0x10000, 0x20000));
        FaultyBench faulty({.kind = FaultKind::kEngineSlow,
                            .engine = Engine::kMac,
                            .factor = 3,
                            .lastingCycles = 1'000'000},
                           std::move(list));
        CHECK(faulty.bench.runJob() == 0);
        const auto record = faulty.bench.observer.of(Engine::kMac).at(0);
        // The array's first fold, its three further folds of 64 rows, 2048 results by 16 lanes.
        CHECK(record.endCycle - record.startCycle == 3 * (110 + 192 + 128));
    });
}

TEST_CASE(
        "a wrong result differs in every byte that the command writes, and nothing notices [E-7]") {
    simCase([] {
        FaultyBench faulty({.kind = FaultKind::kWrongResult, .engine = Engine::kVector});
        for (std::size_t i = 0; i < 4096; ++i) {
            *faulty.bench.memory.at(JobBench::bus(i)) = static_cast<std::byte>(i % 100);
        }
        CHECK(faulty.bench.runJob() == 0);
        const std::byte mask = *faulty.bench.memory.at(JobBench::bus(65536));
        CHECK(mask != std::byte{0});
        for (std::size_t i = 0; i < 4096; ++i) {
            CHECK((*faulty.bench.memory.at(JobBench::bus(65536 + i)) ^ mask) ==
                  static_cast<std::byte>(i % 100));
        }
    });
}

TEST_CASE("a hanging controller stops its heartbeat until it is booted again [E-7]") {
    simCase([] {
        FaultInjector faults;
        faults.arm({.kind = FaultKind::kControllerHang, .atCycle = 5000});
        DeviceBench::Options options;
        options.faults = &faults;
        options.script = beat;
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(20'000);
        const std::uint32_t beats = bench.read(regs::Heartbeat::kSpec.offset);
        CHECK(beats > 10);
        CHECK(beats < 60);
        bench.write(regs::Control::kSpec.offset, 1);
        bench.run(1000);
        bench.boot();
        bench.run(20'000);
        CHECK(bench.read(regs::Heartbeat::kSpec.offset) == 100);
    });
}

TEST_CASE("a lost interrupt keeps its bits, and the next one raises the line [E-7]") {
    simCase([] {
        FaultInjector faults;
        faults.arm({.kind = FaultKind::kLostInterrupt});
        DeviceBench::Options options;
        options.faults = &faults;
        options.script = [](ControllerPort& port) {
            port.write32(regs::IrqRaise::kSpec.offset, regs::IrqStatus::kJobDone.mask());
            port.charge(1000);
            port.write32(regs::IrqRaise::kSpec.offset, regs::IrqStatus::kFault.mask());
        };
        DeviceBench bench(std::move(options));
        bench.write(regs::IrqMask::kSpec.offset, 0xF);
        bench.boot();
        bench.run(500);
        CHECK_FALSE(bench.irq.read());
        CHECK(bench.read(regs::IrqStatus::kSpec.offset) == regs::IrqStatus::kJobDone.mask());
        CHECK_FALSE(faults.injected().at(0).isMadeGood);
        bench.run(2000);
        CHECK(bench.irq.read());
        CHECK(faults.injected().at(0).isMadeGood);
    });
}

TEST_CASE("a spurious interrupt raises the line without a reason, at its time [E-7]") {
    simCase([] {
        FaultInjector faults;
        DeviceBench::Options options;
        options.faults = &faults;
        DeviceBench bench(std::move(options));
        faults.arm({.kind = FaultKind::kSpuriousInterrupt, .atCycle = 3000});
        faults.arm({.kind = FaultKind::kSpuriousInterrupt, .atCycle = 7000});
        bench.run(20'000);
        REQUIRE(bench.observer.line.size() == 4);
        CHECK(bench.observer.line[0] == std::pair<std::uint64_t, bool>{3000, true});
        CHECK(bench.observer.line[1].second == false);
        CHECK(bench.observer.line[2] == std::pair<std::uint64_t, bool>{7000, true});
        CHECK(bench.read(regs::IrqStatus::kSpec.offset) == 0);
    });
}

TEST_CASE("one bit of a message, and of a completion record, flips in transit [E-7]") {
    simCase([] {
        FaultInjector faults;
        faults.arm({.kind = FaultKind::kCorruptMessage});
        faults.arm({.kind = FaultKind::kCorruptRecord});
        DeviceBench::Options options;
        options.faults = &faults;
        options.script = [](ControllerPort& port) {
            for (std::uint32_t i = 0; i < regs::kMailboxWords; ++i) {
                port.write32(regs::MailboxOutData::kSpec.at(i), 0x1000 + i);
            }
            const std::vector<std::byte> zeroes(128);
            const auto bytes = std::span(zeroes);
            port.writeMemory(ControllerPort::kPhysical, MemoryTarget::kBase, bytes.first(64));
            port.writeMemory(ControllerPort::kPhysical, MemoryTarget::kBase + 4096, bytes);
            port.writeMemory(ControllerPort::kPhysical, MemoryTarget::kBase + 8192, bytes);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(5000);
        int flipped = 0;
        for (std::uint32_t i = 0; i < regs::kMailboxWords; ++i) {
            flipped += std::popcount(bench.read(regs::MailboxOut::kSpec.at(i)) ^ (0x1000 + i));
        }
        CHECK(flipped == 1);
        const auto bitsAt = [&](std::uint64_t offset, std::uint64_t count) {
            int bits = 0;
            for (std::uint64_t i = 0; i < count; ++i) {
                bits += std::popcount(std::to_integer<unsigned>(
                        *bench.memory.at(MemoryTarget::kBase + offset + i)));
            }
            return bits;
        };
        CHECK(bitsAt(0, 64) == 0);
        CHECK(bitsAt(4096, 128) == 1);
        CHECK(bitsAt(8192, 128) == 0);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
