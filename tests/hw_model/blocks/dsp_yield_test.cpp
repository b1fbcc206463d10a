// SPDX-License-Identifier: Apache-2.0
// How the DSP stops at yield points and continues.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/hw_model/blocks/dsp_case.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

/// A controller that starts FLOOR of `count` floats on a DSP with a yield point every 1000 cycles
/// and then acts. Descriptor and data lie in two pages whose walks are done before.
struct YieldRun {
    YieldRun(std::uint32_t count, const ScriptProgram::Script& act)
        : floor(count), bench(makeOptions(act, *this)) {
        bench.map(kRegionVa, MemoryTarget::kBase, kRegionBytes, true, true);
        floor.placeIn(bench);
        bench.boot();
        bench.run(40'000);
    }

    static DeviceBench::Options makeOptions(const ScriptProgram::Script& act, YieldRun& self) {
        DeviceBench::Options options;
        options.config.dsp.yieldCycles = 1000;
        options.config.power.level1Khz = 500'000;
        options.script = [act, &self](ControllerPort& port) {
            self.bench.setRoot(port);
            startJob(port, {{kRegionVa, kRegionBytes}, {}});
            std::byte first{};
            port.readMemory(kContext, kRegionVa, std::span(&first, 1));
            const CommandList list = floorCommand();
            const std::vector<std::byte>& bytes = list.items()[0].bytes;
            std::copy(bytes.begin(), bytes.end(), port.localMemory().begin());
            port.write32(regs::EnginePush::kSpec.at(6), 0);
            act(port);
        };
        return options;
    }

    Floor floor;
    DeviceBench bench;
};

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/dsp_yield");

TEST_CASE("on request, an operator stops at the next yield point and posts no token [Q-3]") {
    simCase([] {
        std::vector<std::uint32_t> seen;
        YieldRun run(4000, [&](ControllerPort& port) {
            port.charge(1500);
            port.write32(regs::DspYield::kSpec.offset, 1);
            seen.push_back(port.read32(regs::DspYield::kSpec.offset));
            port.waitForInterrupt(0);
            seen.push_back(port.read32(regs::DspYield::kSpec.offset));
            seen.push_back(port.read32(regs::EngineTokens::kSpec.at(6)));
            seen.push_back(port.read32(regs::DspDoneCyclesLo::kSpec.offset));
        });
        // Of the 1200 cycles of computing all is done at the second point.
        CHECK(seen == std::vector<std::uint32_t>{1, 2, 0, 1200});
        CHECK(run.floor.isUntouchedIn(run.bench));
        CHECK(cyclesOf(run.bench.observer.of(Engine::kDsp).at(0)) == 2000);
    });
}

TEST_CASE("a resumed operator does not repeat finished work [Q-3]") {
    simCase([] {
        std::uint32_t doneBytes = 0;
        YieldRun run(4000, [&](ControllerPort& port) {
            port.write32(regs::DspYield::kSpec.offset, 1);
            port.waitForInterrupt(0);
            doneBytes = port.read32(regs::DspDoneBytesLo::kSpec.offset);
            port.write32(regs::DspYield::kSpec.offset, 0);
            port.write32(regs::EnginePush::kSpec.at(6), 0);
        });
        CHECK(run.floor.isDoneIn(run.bench));
        const auto parts = run.bench.observer.of(Engine::kDsp);
        REQUIRE(parts.size() == 2);
        CHECK(cyclesOf(parts[0]) == 1000);
        // The first chunk of 4096 bytes and the one begun at the stop have been served.
        CHECK(doneBytes == 4096);
        const std::uint64_t left = (32'000 + 2 * 104 + 63) / 64 * 64 - doneBytes;
        CHECK(cyclesOf(parts[1]) == kDspFixedCycles + left / 4);
        CHECK(run.bench.perf(regs::PerfEvent::kDmaBytesWritten) == 16'000);
    });
}

TEST_CASE("the parts of a stopped operator add up to the activity of the whole [Q-3] [E-6]") {
    using regs::PerfEvent;
    simCase([] {
        YieldRun run(4000, [&](ControllerPort& port) {
            port.write32(regs::DspYield::kSpec.offset, 1);
            port.waitForInterrupt(0);
            port.write32(regs::DspYield::kSpec.offset, 0);
            port.write32(regs::EnginePush::kSpec.at(6), 0);
        });
        const auto parts = run.bench.observer.of(Engine::kDsp);
        REQUIRE(parts.size() == 2);
        // FLOOR: a step for each of 4000 floats, 4 a cycle; 800 of the 1200 cycles are over at
        // the yield point but for the start-up, which comes twice.
        CHECK(parts[0].activity[PerfEvent::kDspOpsFloat] == 4000 * 1000 / 1200);
        CHECK(parts[0].activity[PerfEvent::kDspCoreCycles] == 1000);
        CHECK(parts[1].activity[PerfEvent::kDspCoreCycles] == 200 + 200);
        CHECK(parts[0].activity[PerfEvent::kBusBytes] == 4096);
        CHECK(run.bench.perf(PerfEvent::kDspOpsFloat) == 4000);
        CHECK(run.bench.perf(PerfEvent::kDspCoreCycles) == 1000 + 400);
        CHECK(run.bench.perf(PerfEvent::kBusBytes) == (32'000 + 2 * 104 + 63) / 64 * 64);
    });
}

TEST_CASE("an operator stopped at one clock level continues at another [Q-3] [E-3]") {
    simCase([] {
        std::vector<std::uint32_t> done;
        YieldRun run(4000, [&](ControllerPort& port) {
            port.write32(regs::DspYield::kSpec.offset, 1);
            port.waitForInterrupt(0);
            done.push_back(port.read32(regs::DspDoneCyclesLo::kSpec.offset));
            done.push_back(port.read32(regs::DspDoneBytesLo::kSpec.offset));
            port.write32(regs::ClockLevel::kSpec.offset, 1);
            port.write32(regs::DspYield::kSpec.offset, 0);
            port.write32(regs::EnginePush::kSpec.at(6), 0);
        });
        CHECK(run.floor.isDoneIn(run.bench));
        CHECK(done == std::vector<std::uint32_t>{1000, 4096});
        const auto parts = run.bench.observer.of(Engine::kDsp);
        REQUIRE(parts.size() == 2);
        const std::uint64_t left = (32'000 + 2 * 104 + 63) / 64 * 64 - 4096;
        // Start-up and interconnect have the slower clock.
        CHECK(cyclesOf(parts[1]) == 400 + 100 + 8 + left / 4);
    });
}

TEST_CASE("the distance of yield points is in core cycles [Q-3] [E-3]") {
    simCase([] {
        std::uint32_t done = 0;
        YieldRun run(4000, [&](ControllerPort& port) {
            port.write32(regs::EngineAbort::kSpec.offset, 1);
            port.write32(regs::ClockLevel::kSpec.offset, 1);
            startJob(port, {{kRegionVa, kRegionBytes}, {}});
            port.write32(regs::EnginePush::kSpec.at(6), 0);
            port.write32(regs::DspYield::kSpec.offset, 1);
            port.waitForInterrupt(0);
            done = port.read32(regs::DspDoneCyclesLo::kSpec.offset);
        });
        CHECK(done == 1000);
        CHECK(cyclesOf(run.bench.observer.of(Engine::kDsp).back()) == 2000);
    });
}

TEST_CASE("an operator that ends before its next yield point does not stop [Q-3]") {
    simCase([] {
        std::vector<std::uint32_t> seen;
        YieldRun run(100, [&](ControllerPort& port) {
            port.write32(regs::EngineWatch::kSpec.offset,
                         regs::EngineWatch::kEngine.put(6) | regs::EngineWatch::kTokens.put(1));
            port.write32(regs::DspYield::kSpec.offset, 1);
            port.waitForInterrupt(0);
            seen.push_back(port.read32(regs::EngineTokens::kSpec.at(6)));
            seen.push_back(port.read32(regs::DspYield::kSpec.offset));
        });
        CHECK(seen == std::vector<std::uint32_t>{1, 1});
        CHECK(run.floor.isDoneIn(run.bench));
    });
}

TEST_CASE("an operator that continues without its local memory gives wrong results [Q-3]") {
    simCase([] {
        YieldRun run(4000, [&](ControllerPort& port) {
            port.write32(regs::DspYield::kSpec.offset, 1);
            port.waitForInterrupt(0);
            const std::uint32_t done = port.read32(regs::DspDoneCyclesLo::kSpec.offset);
            startJob(port, {{kRegionVa, kRegionBytes}, {}});
            port.write32(regs::DspDoneCyclesLo::kSpec.offset, done + 1);
            port.write32(regs::EnginePush::kSpec.at(6), 0);
        });
        CHECK_FALSE(run.floor.isUntouchedIn(run.bench));
        CHECK_FALSE(run.floor.isDoneIn(run.bench));
    });
}

TEST_CASE("JOB_START forgets an operator that stopped [Q-3]") {
    simCase([] {
        std::vector<std::uint32_t> seen;
        YieldRun run(4000, [&](ControllerPort& port) {
            port.write32(regs::DspYield::kSpec.offset, 1);
            port.waitForInterrupt(0);
            startJob(port, {{kRegionVa, kRegionBytes}, {}});
            seen.push_back(port.read32(regs::DspYield::kSpec.offset));
            seen.push_back(port.read32(regs::DspDoneCyclesLo::kSpec.offset));
            port.write32(regs::EnginePush::kSpec.at(6), 0);
        });
        CHECK(seen == std::vector<std::uint32_t>{0, 0});
        CHECK(run.floor.isDoneIn(run.bench));
        CHECK(cyclesOf(run.bench.observer.of(Engine::kDsp).at(1)) ==
              kDspFixedCycles + (32'000 + 2 * 104 + 63) / 64 * 64 / 4);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
