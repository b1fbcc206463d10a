// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/control/power_controller.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

// Cycles below follow from the default configuration, whose cycle is a nanosecond: register access
// 2, wake-up 20; DMA start-up 8, DRAM latency 100 at 4 bytes per cycle, interconnect latency 4,
// channel 16 bytes per cycle.

namespace vnpu::test {
namespace {

using namespace hw;

constexpr std::uint64_t kSwitch = 1000;
constexpr std::uint64_t kSuspend = 2000;
constexpr std::uint64_t kResume = 5000;

NpuConfig powerConfig() {
    NpuConfig config;
    config.power = {.level1Khz = 800'000,
                    .level2Khz = 500'000,
                    .level3Khz = 200'000,
                    .switchNs = kSwitch,
                    .suspendNs = kSuspend,
                    .resumeNs = kResume};
    return config;
}

void setLevel(ControllerPort& port, std::uint32_t level) {
    port.write32(regs::ClockLevel::kSpec.offset, level);
}

void powerDown(ControllerPort& port) {
    port.write32(regs::PowerSuspend::kSpec.offset, 1);
    port.waitForInterrupt(0);
}

/// Runs the list as jobs of one boot, one at each level; returns the durations of the commands.
std::vector<std::uint64_t> lengthsAt(const CommandList& list,
                                     const std::vector<std::uint32_t>& levels, Engine engine) {
    DeviceBench* self = nullptr;
    std::size_t done = 0;
    DeviceBench::Options options;
    options.config = powerConfig();
    options.script = [&](ControllerPort& port) {
        self->setRoot(port);
        for (const std::uint32_t level : levels) {
            setLevel(port, level);
            startJob(port, {{kRegionVa, kRegionBytes}});
            pushAll(port, list);
            CHECK(waitForAll(port, list) == 0);
            ++done;
        }
    };
    DeviceBench bench(std::move(options));
    self = &bench;
    bench.map(kRegionVa, MemoryTarget::kBase, kRegionBytes, true, true);
    bench.boot();
    REQUIRE(bench.runUntil([&] { return done == levels.size(); }, 10'000'000));
    std::vector<std::uint64_t> lengths;
    for (const EngineCommandRecord& record : bench.observer.of(engine)) {
        lengths.push_back(record.endCycle - record.startCycle);
    }
    return lengths;
}

std::uint32_t levelOf(DeviceBench& bench) {
    return regs::PowerStatus::kLevel.get(bench.read(regs::PowerStatus::kSpec.offset));
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/power_controller");

TEST_CASE("the array's time grows in proportion to its clock period [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kMac, gemm(256, 64, 64, 0, 65536, 131072));
        const auto lengths = lengthsAt(list, {0, 2, 3, 0}, Engine::kMac);
        REQUIRE(lengths.size() == 4);
        CHECK(lengths[1] == 2 * lengths[0]);
        CHECK(lengths[2] == 5 * lengths[0]);
        CHECK(lengths[3] == lengths[0]);
    });
}

TEST_CASE("the vector unit's time grows in proportion to its clock period [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kVector, clampBytes(0, 65536, 3200));
        const auto lengths = lengthsAt(list, {0, 1, 2}, Engine::kVector);
        REQUIRE(lengths.size() == 3);
        // 3200 elements on 32 lanes, 16 cycles of start-up; 1.25 cycles each at 800 MHz.
        CHECK(lengths[0] == 116);
        CHECK(lengths[1] == 145);
        CHECK(lengths[2] == 232);
    });
}

TEST_CASE("memory keeps its time, channel and interconnect do not [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 65536));
        const auto lengths = lengthsAt(list, {0, 0, 2, 3}, Engine::kDma0);
        REQUIRE(lengths.size() == 4);  // the first job has page walks
        CHECK(lengths[1] == 8 + 100 + 4 + 65536 / 4);
        CHECK(lengths[2] == 16 + 100 + 8 + 65536 / 4);
        // A channel of 16 bytes per cycle of 200 MHz is slower than the DRAM.
        CHECK(lengths[3] == 40 + 100 + 20 + 65536 * 5 / 16);
    });
}

TEST_CASE("a switch stops the controller, whose cycles are longer afterwards [E-3]") {
    simCase([] {
        std::vector<std::uint32_t> cycles;
        DeviceBench::Options options;
        options.config = powerConfig();
        options.script = [&](ControllerPort& port) {
            cycles.push_back(cycleOf(port));
            setLevel(port, 2);
            cycles.push_back(cycleOf(port));
            port.charge(300);
            cycles.push_back(cycleOf(port));
            setLevel(port, 1);
            cycles.push_back(cycleOf(port));
            for (int i = 0; i < 10; ++i) {
                cycleOf(port);
            }
            cycles.push_back(cycleOf(port));
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(10'000);
        REQUIRE(cycles.size() == 5);
        CHECK(cycles[1] - cycles[0] == 2 + kSwitch + 4);
        CHECK(cycles[2] - cycles[1] == 600 + 4);
        CHECK(cycles[3] - cycles[2] == 4 + kSwitch + 2);  // 2.5, of which half a cycle is left
        CHECK(cycles[4] - cycles[3] == 28);               // 22 of them are 27.5
        CHECK(levelOf(bench) == 1);
        CHECK(bench.perf(regs::PerfEvent::kClockSwitches) == 2);
    });
}

TEST_CASE("power-down and power-up take their times, and the program continues after them") {
    simCase([] {
        std::uint32_t back = 0;
        DeviceBench::Options options;
        options.config = powerConfig();
        options.script = [&](ControllerPort& port) {
            powerDown(port);
            back = cycleOf(port);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(20'000);
        CHECK(back == 0);
        bench.write(regs::Doorbell::kSpec.offset, 1);
        const std::uint64_t bell = bench.cycle();
        bench.run(10'000);
        CHECK(back == bell + kResume + 20 + 2);
        const auto& states = bench.observer.powerStates;
        REQUIRE(states.size() == 4);
        CHECK(states[0].second == regs::PowerState::kSuspending);
        CHECK(states[1] == std::pair(states[0].first + kSuspend, regs::PowerState::kSuspended));
        CHECK(states[2] == std::pair(bell, regs::PowerState::kResuming));
        CHECK(states[3] == std::pair(bell + kResume, regs::PowerState::kActive));
        CHECK(bench.perf(regs::PerfEvent::kWakes) == 1);
        CHECK(bench.perf(regs::PerfEvent::kSuspendedCycles) == bell - states[1].first);
    });
}

TEST_CASE("a power-down clears the MMU's roots, but not local memory and registers") {
    simCase([] {
        std::vector<std::uint32_t> roots;
        std::byte local{};
        DeviceBench* self = nullptr;
        DeviceBench::Options options;
        options.config = powerConfig();
        options.script = [&](ControllerPort& port) {
            const std::uint32_t root = regs::ContextRootLo::kSpec.at(kContext);
            self->setRoot(port);
            port.localMemory()[5] = std::byte{0x5A};
            roots.push_back(port.read32(root));
            powerDown(port);
            roots.push_back(port.read32(root));
            local = port.localMemory()[5];
        };
        DeviceBench bench(std::move(options));
        self = &bench;
        bench.boot();
        bench.write(regs::IrqMask::kSpec.offset, 3);
        bench.run(20'000);
        bench.write(regs::Doorbell::kSpec.offset, 1);
        bench.run(10'000);
        REQUIRE(roots.size() == 2);
        CHECK(roots[0] == static_cast<std::uint32_t>(bench.rootTable()));
        CHECK(roots[1] == 0);
        CHECK(local == std::byte{0x5A});
        CHECK(bench.read(regs::IrqMask::kSpec.offset) == 3);
    });
}

TEST_CASE("with an interrupt pending there is no power-down, and the request stays armed") {
    simCase([] {
        std::uint32_t armed = 0;
        bool isBack = false;
        DeviceBench::Options options;
        options.config = powerConfig();
        options.script = [&](ControllerPort& port) {
            port.charge(5'000);
            powerDown(port);
            armed = port.read32(regs::PowerSuspend::kSpec.offset);
            port.write32(regs::PowerSuspend::kSpec.offset, 0);
            isBack = true;
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(1'000);
        bench.write(regs::Doorbell::kSpec.offset, 1);
        bench.run(10'000);
        CHECK(isBack);
        CHECK(armed == 1);
        CHECK(bench.observer.powerStates.empty());
    });
}

TEST_CASE("an interrupt during the power-down wakes the device after it") {
    simCase([] {
        DeviceBench::Options options;
        options.config = powerConfig();
        options.script = powerDown;
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(kSuspend / 2);
        bench.write(regs::Doorbell::kSpec.offset, 1);
        bench.run(10'000);
        const auto& states = bench.observer.powerStates;
        REQUIRE(states.size() == 4);
        CHECK(states[1].first == states[0].first + kSuspend);
        CHECK(states[2].first == states[1].first);
        CHECK(states[3].first == states[2].first + kResume);
    });
}

TEST_CASE("a level that does not exist, or is requested while an engine works, is ignored") {
    simCase([] {
        std::vector<std::uint32_t> levels;
        DeviceBench* self = nullptr;
        CommandList list;
        list.add(Engine::kMac, gemm(256, 64, 64, 0, 65536, 131072));
        DeviceBench::Options options;
        options.config = powerConfig();
        options.config.power.level3Khz = 0;
        options.script = [&](ControllerPort& port) {
            const auto note = [&] {
                levels.push_back(port.read32(regs::ClockLevel::kSpec.offset));
            };
            self->setRoot(port);
            for (const std::uint32_t level : {3U, 4U, 0xFFFFFFFFU}) {
                setLevel(port, level);
                note();
            }
            startJob(port, {{kRegionVa, kRegionBytes}});
            pushAll(port, list);
            setLevel(port, 1);
            note();
            CHECK(waitForAll(port, list) == 0);
            setLevel(port, 1);
            note();
        };
        DeviceBench bench(std::move(options));
        self = &bench;
        bench.map(kRegionVa, MemoryTarget::kBase, kRegionBytes, true, true);
        bench.boot();
        bench.run(100'000);
        CHECK(levels == std::vector<std::uint32_t>{0, 0, 0, 0, 1});
    });
}

TEST_CASE("a reset wakes a sleeping device and sets the fastest level [E-7]") {
    simCase([] {
        int boots = 0;
        DeviceBench::Options options;
        options.config = powerConfig();
        options.script = [&](ControllerPort& port) {
            if (++boots == 1) {
                port.write32(regs::StatusSet::kSpec.offset, 2);
                setLevel(port, 2);
                powerDown(port);
            }
        };
        DeviceBench bench(std::move(options));
        const auto isCold = [&] {
            return regs::PowerStatus::kCold.get(bench.read(regs::PowerStatus::kSpec.offset)) == 1;
        };
        CHECK(isCold());
        bench.boot();
        bench.run(10'000);
        CHECK(!isCold());
        CHECK(levelOf(bench) == 2);
        bench.write(regs::Control::kSpec.offset, regs::Control::kReset.mask());
        CHECK(levelOf(bench) == 0);
        bench.boot();
        bench.run(kResume + 1000);
        CHECK(boots == 2);
        CHECK(!isCold());
        CHECK(bench.observer.powerStates.back().second == regs::PowerState::kActive);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
