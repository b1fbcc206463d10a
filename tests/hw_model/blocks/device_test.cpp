// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/device.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <vector>

#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

int inputAt(std::uint64_t i) {
    return static_cast<int>(i * 11 % 13) - 6;
}
int filterAt(std::uint64_t i) {
    return static_cast<int>(i * 7 % 9) - 4;
}

void fillOperands(JobBench& bench, std::uint64_t tileCount) {
    for (std::uint64_t i = 0; i < tileCount * 2048; ++i) {
        bench.memory.store(JobBench::bus(i), static_cast<std::int8_t>(inputAt(i)));
    }
    for (std::uint64_t i = 0; i < 1024; ++i) {
        bench.memory.store(JobBench::bus(0x40000 + i), static_cast<std::int8_t>(filterAt(i)));
    }
}

using Times = std::vector<std::vector<std::uint64_t>>;

Times timesOf(const JobBench& bench) {
    Times times;
    for (const EngineCommandRecord& record : bench.observer.commands) {
        times.push_back({static_cast<std::uint64_t>(record.engine), record.queuedCycle,
                         record.startCycle, record.endCycle, record.busyCycles,
                         record.tokenStallCycles, record.sramStallCycles, record.dramStallCycles});
    }
    return times;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/device");

TEST_CASE("a stream of tiles through five engines gives correct bytes [E-2]") {
    simCase([] {
        JobBench bench(tileStream(8));
        fillOperands(bench, 8);
        CHECK(bench.runJob() == 0);
        int wrong = 0;
        for (std::uint64_t t = 0; t < 8; ++t) {
            for (std::uint64_t m = 0; m < 64; ++m) {
                for (std::uint64_t n = 0; n < 32; ++n) {
                    int sum = 0;
                    for (std::uint64_t k = 0; k < 32; ++k) {
                        sum += inputAt(t * 2048 + m * 32 + k) * filterAt(n * 32 + k);
                    }
                    const int expected = sum < -128 ? -128 : sum > 127 ? 127 : sum;
                    wrong += bench.memory.load<std::int8_t>(
                                     JobBench::bus(0x80000 + t * 2048 + m * 32 + n)) == expected
                                     ? 0
                                     : 1;
                }
            }
        }
        CHECK(wrong == 0);
        CHECK(bench.observer.commands.size() == 40);
        CHECK(bench.perf(regs::PerfEvent::kSramRaces) == 0);
        CHECK(bench.observer.faults.empty());
    });
}

TEST_CASE("engines work at the same time [E-3]") {
    simCase([] {
        JobBench bench(tileStream(8));
        CHECK(bench.runJob() == 0);
        std::uint64_t busy = 0;
        std::uint64_t first = ~0ULL;
        std::uint64_t last = 0;
        for (const EngineCommandRecord& record : bench.observer.commands) {
            busy += record.endCycle - record.startCycle;
            first = std::min(first, record.startCycle);
            last = std::max(last, record.endCycle);
        }
        CHECK(static_cast<double>(busy) > 1.5 * static_cast<double>(last - first));
    });
}

TEST_CASE("timing-only mode takes exactly the times of the full device [E-3]") {
    simCase([] {
        NpuConfig config;
        JobBench full(tileStream(20), config, "full");
        config.timingOnly = true;
        JobBench quick(tileStream(20), config, "quick");
        fillOperands(full, 20);
        fillOperands(quick, 20);
        full.boot();
        quick.boot();
        CHECK(full.runUntil([&] { return full.isDone() && quick.isDone(); }, 1'000'000));
        CHECK(timesOf(full).size() == 100);
        CHECK(timesOf(full) == timesOf(quick));
        CHECK(full.endCycle() == quick.endCycle());
        // One run moved bytes, the other did not.
        CHECK(full.memory.load<std::uint64_t>(JobBench::bus(0x80000)) != 0);
        CHECK(quick.memory.load<std::uint64_t>(JobBench::bus(0x80000)) == 0);
    });
}

TEST_CASE("two devices with the same work behave identically [E-4]") {
    simCase([] {
        JobBench first(tileStream(20), {}, "first");
        JobBench second(tileStream(20), {}, "second");
        first.boot();
        second.boot();
        CHECK(first.runUntil([&] { return first.isDone() && second.isDone(); }, 1'000'000));
        CHECK(timesOf(first) == timesOf(second));
    });
}

TEST_CASE("a run after reset repeats the first one cycle by cycle [E-4]") {
    simCase([] {
        JobBench bench(tileStream(20));
        fillOperands(bench, 20);
        CHECK(bench.runJob() == 0);
        const Times first = timesOf(bench);
        bench.write(regs::Control::kSpec.offset, regs::Control::kReset.mask());
        bench.run(1000);
        bench.observer.commands.clear();
        const std::uint64_t base = bench.cycle();
        CHECK(bench.runJob() == 0);
        Times second = timesOf(bench);
        for (auto& row : second) {
            for (const std::size_t column : {1U, 2U, 3U}) {
                row[column] -= base;
            }
        }
        CHECK(second == first);
    });
}

TEST_CASE("reset in the middle of a job leaves a device that works [E-7]") {
    simCase([] {
        JobBench bench(tileStream(20));
        fillOperands(bench, 20);
        bench.boot();
        bench.run(5'000);
        CHECK(regs::Status::kBusy.get(bench.read(regs::Status::kSpec.offset)) == 1);
        bench.write(regs::Control::kSpec.offset, regs::Control::kReset.mask());
        CHECK(regs::Status::kBusy.get(bench.read(regs::Status::kSpec.offset)) == 0);
        const std::size_t finished = bench.observer.commands.size();
        bench.run(20'000);
        CHECK(bench.observer.commands.size() == finished);
        CHECK(bench.runJob() == 0);
        CHECK(bench.observer.commands.size() == finished + 100);
        CHECK(bench.perf(regs::PerfEvent::kSramRaces) == 0);
    });
}

TEST_CASE("an unobserved timing-only device costs little host time per command [E-3]" *
          doctest::skip()) {
    // A measurement, not a check: run with --no-skip.
    simCase([] {
        constexpr std::uint32_t kTiles = 800;
        constexpr std::uint32_t kRounds = 50;
        const CommandList list = tileStream(kTiles);
        DeviceBench* device = nullptr;
        bool isDone = false;
        std::uint32_t error = 1;
        std::clock_t spent = 0;  // processor time: other work on the host does not count
        DeviceBench::Options options;
        options.config.timingOnly = true;
        options.isObserved = false;
        options.script = [&](ControllerPort& port) {
            device->setRoot(port);
            const std::clock_t begin = std::clock();
            for (std::uint32_t i = 0; i < kRounds; ++i) {
                startJob(port, {{kRegionVa, kRegionBytes}});
                pushAll(port, list);
                error = waitForAll(port, list);
            }
            spent = std::clock() - begin;
            isDone = true;
        };
        DeviceBench bench(std::move(options));
        device = &bench;
        bench.map(kRegionVa, MemoryTarget::kBase, kRegionBytes, true, true);
        bench.boot();
        while (!isDone) {
            bench.run(1'000'000);
        }
        CHECK(error == 0);
        fmt::print("{:.1f} ns per command\n",
                   static_cast<double>(spent) / CLOCKS_PER_SEC * 1e9 / (5.0 * kTiles * kRounds));
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
