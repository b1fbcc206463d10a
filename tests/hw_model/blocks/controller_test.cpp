// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/control/controller.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>

#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

// Ignores its reset while it sleeps, polls or only computes.
class DeafProgram : public ControllerProgram {
  public:
    enum class Kind { kSleeps, kPolls, kComputes };
    DeafProgram(Kind kind, int& runs) : kind_(kind), runs_(runs) {}
    void run(ControllerPort& port) override {
        ++runs_;
        while (true) {
            switch (kind_) {
                case Kind::kSleeps:
                    port.waitForInterrupt(0);
                    break;
                case Kind::kPolls:
                    port.read32(regs::EngineError::kSpec.offset);
                    break;
                case Kind::kComputes:
                    port.charge(10);
                    break;
            }
        }
    }

  private:
    Kind kind_;
    int& runs_;
};

void expectReboot(DeafProgram::Kind kind) {
    int runs = 0;
    DeviceBench::Options options;
    options.program = std::make_unique<DeafProgram>(kind, runs);
    DeviceBench bench(std::move(options));
    bench.boot();
    bench.run(5'000);
    bench.write(regs::Control::kSpec.offset, regs::Control::kReset.mask());
    bench.run(30'000);
    bench.boot();
    bench.run(5'000);
    CHECK(runs == 2);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/controller");

TEST_CASE("a register access costs its cycles, a charge its own [E-3]") {
    simCase([] {
        std::uint32_t first = 0;
        std::uint32_t second = 0;
        std::uint32_t third = 0;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            first = cycleOf(port);
            second = cycleOf(port);
            port.charge(300);
            port.charge(45);
            third = cycleOf(port);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(1000);
        CHECK(second - first == 2);
        CHECK(third - second == 347);
    });
}

TEST_CASE("a long charge takes its full time [E-3]") {
    simCase([] {
        std::uint32_t first = 0;
        std::uint32_t second = 0;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            first = cycleOf(port);
            for (int i = 0; i < 100; ++i) {
                port.charge(1000);
            }
            second = cycleOf(port);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(50'000);
        CHECK(second == 0);
        bench.run(60'000);
        CHECK(second - first == 100'002);
    });
}

TEST_CASE("memory accesses cost latency and bandwidth [E-3]") {
    simCase([] {
        std::array<std::uint32_t, 3> cycles{};
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            std::array<std::byte, 256> bytes{};
            cycles[0] = cycleOf(port);
            CHECK(port.readMemory(ControllerPort::kPhysical, MemoryTarget::kBase, bytes) ==
                  JobStatus::kOk);
            cycles[1] = cycleOf(port);
            CHECK(port.writeMemory(ControllerPort::kPhysical, MemoryTarget::kBase,
                                   std::span(bytes).first(4)) == JobStatus::kOk);
            cycles[2] = cycleOf(port);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(2000);
        CHECK(cycles[1] - cycles[0] == 100 + 4 + 256 / 4 + 2);
        CHECK(cycles[2] - cycles[1] == 100 + 4 + 64 / 4 + 2);  // one burst
    });
}

TEST_CASE("memory accesses wait behind a DMA transfer [E-3]") {
    simCase([] {
        DeviceBench* device = nullptr;
        std::array<std::uint32_t, 2> cycles{};
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            device->setRoot(port);
            startJob(port, {{0x10000, 0x10000}});
            CommandList list;
            list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 0x10000));
            pushAll(port, list);
            port.charge(1000);  // the transfer is streaming by now
            std::array<std::byte, 64> bytes{};
            cycles[0] = cycleOf(port);
            CHECK(port.readMemory(ControllerPort::kPhysical, MemoryTarget::kBase, bytes) ==
                  JobStatus::kOk);
            cycles[1] = cycleOf(port);
        };
        DeviceBench bench(std::move(options));
        device = &bench;
        bench.map(0x10000, MemoryTarget::kBase, 0x10000, true, true);
        bench.boot();
        bench.run(30'000);
        const std::uint32_t alone = 100 + 4 + 64 / 4 + 2;
        CHECK(cycles[1] - cycles[0] > alone);
        CHECK(cycles[1] - cycles[0] <= alone + 1024);  // at most one chunk ahead of it
    });
}

TEST_CASE("reads and writes memory by virtual address across pages [E-2]") {
    simCase([] {
        DeviceBench* device = nullptr;
        bool isSame = false;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            device->setRoot(port);
            std::array<std::byte, 100> sent{};
            std::array<std::byte, 100> received{};
            for (std::size_t i = 0; i < sent.size(); ++i) {
                sent[i] = static_cast<std::byte>(i + 1);
            }
            CHECK(port.writeMemory(kContext, 0x1FC0, sent) == JobStatus::kOk);
            CHECK(port.readMemory(kContext, 0x1FC0, received) == JobStatus::kOk);
            isSame = sent == received;
        };
        DeviceBench bench(std::move(options));
        device = &bench;
        bench.map(0x1000, MemoryTarget::kBase + 0x5000, 4096);
        bench.map(0x2000, MemoryTarget::kBase + 0x3000, 4096);
        bench.boot();
        bench.run(2000);
        CHECK(isSame);
        CHECK(*bench.memory.at(MemoryTarget::kBase + 0x5FC0) == std::byte{1});
        CHECK(*bench.memory.at(MemoryTarget::kBase + 0x3000) == std::byte{65});
    });
}

TEST_CASE("a bus address without memory is a bus error [E-1]") {
    simCase([] {
        JobStatus status = JobStatus::kOk;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            std::array<std::byte, 4> bytes{};
            status = port.readMemory(ControllerPort::kPhysical, 0x10, bytes);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(1000);
        CHECK(status == JobStatus::kBusError);
    });
}

TEST_CASE("sleeps until an interrupt and pays for waking [E-3]") {
    simCase([] {
        std::uint32_t woken = 0;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            port.waitForInterrupt(0);
            woken = cycleOf(port);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(5000);
        CHECK(woken == 0);
        bench.write(regs::Doorbell::kSpec.at(2), 77);
        const std::uint64_t rung = bench.cycle();
        bench.run(100);
        CHECK(woken == rung + 20 + 2);
    });
}

TEST_CASE("a sleep ends at its timeout [E-1]") {
    simCase([] {
        std::uint32_t before = 0;
        std::uint32_t after = 0;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            before = cycleOf(port);
            port.waitForInterrupt(1234);
            after = cycleOf(port);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(5000);
        CHECK(after - before == 1234 + 20 + 2);
    });
}

TEST_CASE("a timeout that passed while the program was awake delays no later one [E-1]") {
    simCase([] {
        std::uint32_t before = 0;
        std::uint32_t after = 0;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            port.waitForInterrupt(1000);  // the bell comes first
            port.write32(regs::ControllerIrqStatus::kSpec.offset, 0xFFFFFFFF);
            port.charge(5000);  // awake beyond the time of the first timeout
            before = cycleOf(port);
            port.waitForInterrupt(1234);
            after = cycleOf(port);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(100);
        bench.write(regs::Doorbell::kSpec.at(0), 1);
        bench.run(20'000);
        CHECK(before > 5000);
        CHECK(after - before == 1234 + 20 + 2);
    });
}

TEST_CASE("does not sleep while an interrupt is pending [E-1]") {
    simCase([] {
        bool isDone = false;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            port.charge(100);
            port.waitForInterrupt(0);
            isDone = true;
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(10);
        bench.write(regs::Doorbell::kSpec.at(0), 1);
        bench.run(200);
        CHECK(isDone);
    });
}

TEST_CASE("local memory has the configured size and keeps its bytes [E-1]") {
    simCase([] {
        std::size_t size = 0;
        NpuConfig config;
        config.controller.localMemoryKib = 96;
        DeviceBench::Options options;
        options.config = config;
        options.script = [&](ControllerPort& port) {
            size = port.localMemory().size();
            port.localMemory()[size - 1] = std::byte{42};
            port.charge(10);
            CHECK(port.localMemory()[size - 1] == std::byte{42});
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(100);
        CHECK(size == 96 * 1024);
    });
}

TEST_CASE("marks carry the program's own time in order [E-6]") {
    simCase([] {
        DeviceBench::Options options;
        std::uint32_t start = 0;
        options.script = [&](ControllerPort& port) {
            start = cycleOf(port);
            port.trace("first", 1);
            port.charge(500);
            port.trace("second", 2);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(2000);
        REQUIRE(bench.observer.events.size() == 2);
        CHECK(bench.observer.events[0] == std::pair<std::uint64_t, std::string>{start, "first"});
        CHECK(bench.observer.events[1] ==
              std::pair<std::uint64_t, std::string>{start + 500, "second"});
    });
}

TEST_CASE("reset ends the program and it can boot again [E-7]") {
    simCase([] {
        int runs = 0;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            ++runs;
            port.write32(regs::StatusSet::kSpec.offset,
                         static_cast<std::uint32_t>(regs::DeviceState::kReady));
        };
        DeviceBench bench(std::move(options));
        const auto state = [&] {
            return regs::Status::kState.get(bench.read(regs::Status::kSpec.offset));
        };
        bench.run(1000);
        CHECK(runs == 0);
        CHECK(state() == static_cast<std::uint32_t>(regs::DeviceState::kReset));
        bench.boot();
        CHECK(state() == static_cast<std::uint32_t>(regs::DeviceState::kBooting));
        bench.run(1000);
        CHECK(state() == static_cast<std::uint32_t>(regs::DeviceState::kReady));
        bench.write(regs::Control::kSpec.offset, regs::Control::kReset.mask());
        CHECK(state() == static_cast<std::uint32_t>(regs::DeviceState::kReset));
        bench.boot();  // before the program could return
        bench.run(1000);
        CHECK(runs == 2);
        CHECK(state() == static_cast<std::uint32_t>(regs::DeviceState::kReady));
    });
}

TEST_CASE("a sleeping program that ignores its reset is ended [E-7]") {
    simCase([] { expectReboot(DeafProgram::Kind::kSleeps); });
}

TEST_CASE("a polling program that ignores its reset is ended [E-7]") {
    simCase([] { expectReboot(DeafProgram::Kind::kPolls); });
}

TEST_CASE("a computing program that ignores its reset is ended [E-7]") {
    simCase([] { expectReboot(DeafProgram::Kind::kComputes); });
}

TEST_CASE("a program in reset no longer changes anything [E-7]") {
    simCase([] {
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            while (regs::ControllerIrqStatus::kReset.get(
                           port.read32(regs::ControllerIrqStatus::kSpec.offset)) == 0) {
                port.charge(10);
            }
            port.write32(regs::IrqRaise::kSpec.offset, 1);
            port.write32(regs::StatusSet::kSpec.offset, 2);
            const std::array<std::byte, 1> byte{std::byte{9}};
            port.writeMemory(ControllerPort::kPhysical, MemoryTarget::kBase, byte);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(1000);
        bench.write(regs::Control::kSpec.offset, regs::Control::kReset.mask());
        bench.run(1000);
        CHECK(bench.read(regs::IrqStatus::kSpec.offset) == 0);
        CHECK(bench.read(regs::Status::kSpec.offset) == 0);
        CHECK(*bench.memory.at(MemoryTarget::kBase) == std::byte{0});
    });
}

TEST_CASE("running ahead does not change the cycles that engines see [E-4]") {
    simCase([] {
        // An event in every cycle forces the controller into step with SystemC; without it, it runs
        // ahead.
        CommandList list;
        for (int i = 0; i < 20; ++i) {
            list.add(Engine::kVector, clampBytes(0, 0x10000, 640));
            list.add(Engine::kDma0, fillBytes(inSram(0x20000), 512, 1, 1));
        }
        JobBench bench(list);
        bench.boot();
        const bool isDone = bench.runUntil([&] { return bench.endCycle() != 0; }, 100'000);
        CHECK(isDone);
        const auto led = bench.observer.commands;
        const std::uint64_t ledEnd = bench.endCycle();

        bench.write(regs::Control::kSpec.offset, regs::Control::kReset.mask());
        bench.run(1000);
        bench.observer.commands.clear();
        const std::uint64_t base = bench.cycle();
        bench.startTicking();
        bench.boot();
        bench.run(20'000);
        const auto stepped = bench.observer.commands;
        REQUIRE(stepped.size() == led.size());
        for (std::size_t i = 0; i < led.size(); ++i) {
            CHECK(stepped[i].startCycle - base == led[i].startCycle);
            CHECK(stepped[i].endCycle - base == led[i].endCycle);
        }
        CHECK(bench.endCycle() - base == ledEnd);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
