// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/live_trace.h"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "sim/base/error.h"
#include "sim/config/load_config.h"
#include "tests/sim/trace/perfetto_reader.h"
#include "tests/support/program.h"

namespace {

using std::chrono::nanoseconds;
using vnpu::driver::ErrorStatus;
using vnpu::hw::Engine;
using vnpu::sim::InputError;
using vnpu::sim::LiveTrace;
using vnpu::sim::TraceFiles;
using vnpu::test::findPerfettoError;
using vnpu::test::PerfettoTrace;
using vnpu::test::readFile;
using vnpu::test::readPerfetto;
using vnpu::test::TemporaryFolder;

/// Counts what comes through.
class Counter : public vnpu::hw::DeviceObserver, public vnpu::driver::DriverObserver {
  public:
    void onEngineCommand(const vnpu::hw::EngineCommandRecord& /*record*/) override { ++commands; }
    void onLog(nanoseconds /*now*/, std::string_view /*line*/) override { ++lines; }

    std::atomic<int> commands = 0;
    std::atomic<int> lines = 0;
};

std::size_t beginsOf(const PerfettoTrace& trace, const std::string& track) {
    std::size_t begins = 0;
    for (const auto& event : trace.on(track)) {
        begins += event.type == 1 ? 1 : 0;
    }
    return begins;
}

/// `count` commands of the MAC array, one behind another.
void playDevice(LiveTrace& trace, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        vnpu::hw::EngineCommandRecord record;
        record.engine = Engine::kMac;
        record.startCycle = 100 * i;
        record.endCycle = 100 * i + 60;
        trace.onEngineCommand(record);
    }
}

/// Calls of one thread, each with a line of the log, at times that others have, too.
void playCalls(LiveTrace& trace, std::uint64_t thread, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t id = thread * count + i;
        const nanoseconds begin(static_cast<std::int64_t>(100 * i + thread));
        trace.onCallBegin(begin, "execute_1_3", id,
                          10'000 + static_cast<std::uint32_t>(thread % 2));
        trace.onLog(begin, "a line");
        trace.onCallEnd(begin + nanoseconds(250), id, ErrorStatus::NONE);
    }
}

TEST_SUITE("sim/trace/live_trace") {
    TEST_CASE("many threads at once leave traces that keep the rules [E-5] [E-6]") {
        constexpr std::uint64_t kCount = 500;
        const TemporaryFolder folder;
        Counter counter;
        LiveTrace trace(vnpu::sim::loadConfig("edge"), "vcd,perfetto", folder / "",
                        {&counter, &counter});
        std::vector<std::thread> threads;
        threads.emplace_back([&] { playDevice(trace, kCount); });
        for (std::uint64_t thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&trace, thread] { playCalls(trace, thread, kCount); });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        trace.end(nanoseconds(1'000'000));
        CHECK(counter.commands == kCount);
        CHECK(counter.lines == 4 * kCount);
        const PerfettoTrace read = readPerfetto(readFile(folder / "trace.perfetto-trace"));
        CHECK(findPerfettoError(read) == "");
        CHECK(beginsOf(read, "mac") == kCount);
        CHECK(beginsOf(read, "calls of uid 10000") == 2 * kCount);
        CHECK(beginsOf(read, "calls of uid 10001") == 2 * kCount);
        CHECK(read.on("log").size() == 4 * kCount);
        CHECK(readFile(folder / "trace.vcd").find("$enddefinitions") != std::string::npos);
    }

    TEST_CASE("without a listener behind it, it only traces [E-6]") {
        const TemporaryFolder folder;
        LiveTrace trace(vnpu::sim::loadConfig("edge"), "perfetto", folder / "", {});
        playDevice(trace, 3);
        playCalls(trace, 0, 3);
        trace.end(nanoseconds(10'000));
        CHECK(findPerfettoError(readPerfetto(readFile(folder / "trace.perfetto-trace"))) == "");
        CHECK_FALSE(std::filesystem::exists(folder / "trace.vcd"));
    }

    TEST_CASE("kinds that are none, or twice the same, are refused") {
        CHECK_NOTHROW(TraceFiles::checkKinds(""));
        CHECK_NOTHROW(TraceFiles::checkKinds("vcd,perfetto"));
        CHECK_THROWS_WITH_AS(TraceFiles::checkKinds("svg"),
                             "--trace is \"svg\", expected vcd, perfetto or both with a comma",
                             InputError);
        CHECK_THROWS_AS(TraceFiles::checkKinds("vcd,vcd"), InputError);
        CHECK_THROWS_AS(TraceFiles::checkKinds("vcd,,perfetto"), InputError);
    }

    TEST_CASE("a folder that is not there is told") {
        const TemporaryFolder folder;
        CHECK_THROWS_AS(TraceFiles("vcd", folder / "none"), InputError);
    }
}

}  // namespace
