// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "hw_model/blocks/control/controller.h"
#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

constexpr std::uint64_t kReactionCycles = 150;  // chosen: reaction time of the host to an interrupt

/// Everything observable of a run, in order; cycles count from its begin.
struct Story {
    std::vector<std::array<std::uint64_t, 4>> commands;  // engine, index, start, end
    std::vector<std::pair<std::uint64_t, bool>> line;
    std::vector<std::array<std::uint64_t, 5>> accesses;
    std::vector<std::pair<JobStatus, std::string>> faults;
    std::vector<std::uint64_t> misses;
    std::vector<std::uint64_t> awake;  // when the program's waits ended
    bool operator==(const Story&) const = default;
};

class AheadBench : public DeviceBench {
  public:
    explicit AheadBench(bool mayRunAhead, const NpuConfig& config = {})
        : DeviceBench(makeOptions(*this, mayRunAhead, config)) {
        map(kRegionVa, MemoryTarget::kBase, kRegionBytes, true, true);
        map(JobBench::smallPagesVa(), MemoryTarget::kBase, kRegionBytes, true, false);
        sc_core::sc_spawn([this] { answerInterrupts(); });
    }

    /// Boots, runs the program to its end and returns the events.
    Story tell() {
        observer.commands.clear();
        observer.line.clear();
        observer.accesses.clear();
        observer.faults.clear();
        observer.misses.clear();
        awake_.clear();
        isDone_ = false;
        const std::uint64_t base = cycle();
        write(regs::IrqMask::kSpec.offset, ~0U);
        boot();
        REQUIRE(runUntil([this] { return isDone_; }, 1'000'000));
        Story story;
        for (const EngineCommandRecord& record : observer.commands) {
            story.commands.push_back({static_cast<std::uint64_t>(record.engine), record.index,
                                      record.startCycle - base, record.endCycle - base});
        }
        for (const auto& [at, level] : observer.line) {
            story.line.emplace_back(at - base, level);
        }
        observer.accesses.resize(accessCount_);
        for (const RecordingObserver::RegisterAccess& one : observer.accesses) {
            // The counter's own values are of the absolute time.
            const bool isTime = one.offset == regs::CycleCounterLo::kSpec.offset;
            story.accesses.push_back(
                    {one.cycle - base, one.isWrite, one.isController, one.offset,
                     isTime ? one.value - static_cast<std::uint32_t>(base) : one.value});
        }
        story.faults = observer.faults;
        story.misses = observer.misses;
        for (const std::uint32_t at : awake_) {
            story.awake.push_back(at - static_cast<std::uint32_t>(base));
        }
        write(regs::Control::kSpec.offset, regs::Control::kReset.mask());
        run(1000);
        return story;
    }

  private:
    static Options makeOptions(AheadBench& self, bool mayRunAhead, const NpuConfig& config) {
        Options options;
        options.config = config;
        options.mayRunAhead = mayRunAhead;
        options.script = [&self](ControllerPort& port) { self.work(port); };
        return options;
    }

    void noteTime(ControllerPort& port) {
        awake_.push_back(port.read32(regs::CycleCounterLo::kSpec.offset));
    }

    void clearInterrupts(ControllerPort& port) {
        const std::uint32_t status = regs::ControllerIrqStatus::kSpec.offset;
        port.write32(status, port.read32(status));
    }

    void work(ControllerPort& port) {
        const std::vector<Region> regions = {{kRegionVa, kRegionBytes},
                                             {JobBench::smallPagesVa(), kRegionBytes},
                                             {kRegionVa - kRegionBytes, kRegionBytes}};
        setRoot(port);
        startJob(port, regions);
        // Long and short transfers compete.
        const CommandList list = tileStream(12, inRegion(0x100000, 1), 21'024);
        pushAll(port, list);
        CHECK(waitForAll(port, list) == 0);
        noteTime(port);

        // The controller's own accesses beside a long transfer, and sleeps of every length.
        const CommandList transfer =
                CommandList().add(Engine::kDma3, copyBytes(inRegion(0), inSram(0x10000), 60'000));
        pushAll(port, transfer);
        std::array<std::byte, 3000> bytes{};
        CHECK(port.readMemory(kContext, kRegionVa + 100, bytes) == JobStatus::kOk);
        noteTime(port);
        CHECK(port.writeMemory(kContext, kRegionVa + 0x300000, bytes) == JobStatus::kOk);
        noteTime(port);
        for (const std::uint64_t timeout : {1, 77, 1000, 40'000}) {
            clearInterrupts(port);
            port.waitForInterrupt(timeout);
            noteTime(port);
        }
        CHECK(waitForAll(port, transfer) == 0);

        // An interrupt to the host, which ends the sleep with a doorbell.
        clearInterrupts(port);
        port.write32(regs::IrqRaise::kSpec.offset, regs::IrqStatus::kJobDone.mask());
        port.waitForInterrupt(0);
        noteTime(port);
        clearInterrupts(port);

        // Transfers to unmapped pages: the host sees the fault while the program waits for its
        // doorbell and other engines are working.
        startJob(port, regions);
        pushAll(port,
                CommandList().add(Engine::kDma3, copyBytes(inRegion(0, 2), inSram(0x10000), 300)));
        for (int i = 0; i < 30; ++i) {
            port.charge(10);
            port.read32(regs::DoorbellPending::kSpec.offset);
        }
        clearInterrupts(port);
        startJob(port, regions);
        CommandList faulty;
        faulty.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 30'000));
        faulty.add(Engine::kDma1, copyBytes(inRegion(0), inSram(0x10000), 300));
        faulty.add(Engine::kDma1, copyBytes(inRegion(0, 2), inSram(0x10000), 300));
        pushAll(port, faulty);
        CHECK(waitForAll(port, faulty) != 0);
        noteTime(port);
        port.charge(100'000);
        noteTime(port);
        port.write32(regs::StatusSet::kSpec.offset, 2);  // in step with SystemC's time again
        accessCount_ = observer.accesses.size();
        isDone_ = true;
    }

    /// The host, as a SystemC process.
    void answerInterrupts() {
        while (true) {
            sc_core::wait(irq.posedge_event());
            sc_core::wait(static_cast<double>(kReactionCycles) * device.cycleTime());
            write(regs::IrqStatus::kSpec.offset, read(regs::IrqStatus::kSpec.offset));
            write(regs::MmuFaultInfo::kSpec.offset, 0);
            write(regs::Doorbell::kSpec.at(2), 5);
        }
    }

    std::vector<std::uint32_t> awake_;
    std::size_t accessCount_ = 0;  // to the end of the program
    bool isDone_ = false;
};

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/running_ahead");

TEST_CASE("a device that runs ahead shows the same with a fraction of the events [E-3] [E-4]") {
    simCase([] {
        AheadBench bench(true);
        const auto countBefore = sc_core::sc_delta_count();
        const Story ahead = bench.tell();
        const auto events = sc_core::sc_delta_count() - countBefore;
        // With an event in every cycle, no engine can run ahead.
        bench.startTicking();
        const Story stepped = bench.tell();
        CHECK(ahead.commands == stepped.commands);
        CHECK(ahead.line == stepped.line);
        CHECK(ahead.accesses == stepped.accesses);
        CHECK(ahead.faults == stepped.faults);
        CHECK(ahead.misses == stepped.misses);
        CHECK(ahead.awake == stepped.awake);
        CHECK(ahead.commands.size() == 12 * 5 + 1 + 2);
        CHECK(ahead.line.size() == 6);
        CHECK(ahead.faults.size() == 2);
        CHECK(events < ahead.commands.size() / 2);
    });
}

TEST_CASE("with a DRAM of banks, a device that runs ahead shows the same [E-3] [E-4]") {
    simCase([] {
        NpuConfig config;
        config.dram.model = DramModel::kBanked;
        config.dram.banks = 8;
        config.dram.rowBytes = 2048;
        config.dram.bank.tRcdCycles = config.dram.bank.tRpCycles = config.dram.bank.tClCycles = 18;
        config.dram.bank.tRasCycles = 42;
        AheadBench bench(true, config);
        // Each story leaves the same rows open. Refreshes, at absolute times, would differ.
        bench.tell();
        const std::uint64_t hitsBefore = bench.device.count(regs::PerfEvent::kDramRowHits);
        const Story ahead = bench.tell();
        CHECK(bench.device.count(regs::PerfEvent::kDramRowHits) > hitsBefore + 1000);
        bench.startTicking();
        CHECK(bench.tell() == ahead);
    });
}

TEST_CASE("without permission to run ahead, the device stays in step [E-3] [E-4]") {
    simCase([] {
        AheadBench bench(false);
        const Story led = bench.tell();
        bench.startTicking();
        CHECK(bench.tell() == led);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
