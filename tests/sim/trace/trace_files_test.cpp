// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/trace_files.h"

#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "sim/base/error.h"
#include "sim/config/load_config.h"
#include "sim/trace/event_stream.h"
#include "tests/sim/trace/perfetto_reader.h"
#include "tests/support/program.h"

namespace {

using std::chrono::nanoseconds;
using vnpu::driver::ErrorStatus;
using vnpu::hw::Engine;
using vnpu::sim::EventSink;
using vnpu::sim::EventStream;
using vnpu::sim::InputError;
using vnpu::sim::TraceFiles;
using vnpu::test::findPerfettoError;
using vnpu::test::PerfettoTrace;
using vnpu::test::readFile;
using vnpu::test::readPerfetto;
using vnpu::test::TemporaryFolder;

/// The traces of a live device, whose clients are not known.
struct LiveTraces {
    LiveTraces(const std::string& kinds, const std::filesystem::path& folder)
        : files(kinds, folder) {
        std::vector<EventSink*> sinks;
        files.addSinks(sinks);
        for (EventSink* sink : sinks) {
            events.addSink(*sink);
        }
        events.begin();
    }
    void end(std::uint64_t timeNs) {
        events.end(timeNs);
        files.close();
    }

    TraceFiles files;
    EventStream events{vnpu::sim::loadConfig("edge"), {}};
};

std::size_t beginsOf(const PerfettoTrace& trace, const std::string& track) {
    std::size_t begins = 0;
    for (const auto& event : trace.on(track)) {
        begins += event.type == 1 ? 1 : 0;
    }
    return begins;
}

/// `count` commands of the MAC array, one after another.
void playDevice(EventStream& events, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        vnpu::hw::EngineCommandRecord record;
        record.engine = Engine::kMac;
        record.startCycle = 100 * i;
        record.endCycle = 100 * i + 60;
        events.onEngineCommand(record);
    }
}

/// Calls of one thread, each with a line of the log, at times that coincide with those of other
/// threads.
void playCalls(EventStream& events, std::uint64_t thread, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t id = thread * count + i;
        const nanoseconds begin(static_cast<std::int64_t>(100 * i + thread));
        events.onCallBegin(begin, "execute_1_3", id,
                           10'000 + static_cast<std::uint32_t>(thread % 2));
        events.onLog(begin, "a line");
        events.onCallEnd(begin + nanoseconds(250), id, ErrorStatus::NONE);
    }
}

TEST_SUITE_BEGIN("sim/trace/trace_files");

TEST_CASE("many concurrent threads leave valid traces [E-5] [E-6]") {
    constexpr std::uint64_t kCount = 500;
    const TemporaryFolder folder;
    LiveTraces traces("vcd,perfetto", folder / "");
    std::vector<std::thread> threads;
    threads.emplace_back([&] { playDevice(traces.events, kCount); });
    for (std::uint64_t thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&traces, thread] { playCalls(traces.events, thread, kCount); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    traces.end(1'000'000);
    const PerfettoTrace read = readPerfetto(readFile(folder / "trace.perfetto-trace"));
    CHECK(findPerfettoError(read) == "");
    CHECK(beginsOf(read, "mac") == kCount);
    CHECK(beginsOf(read, "calls of uid 10000") == 2 * kCount);
    CHECK(beginsOf(read, "calls of uid 10001") == 2 * kCount);
    CHECK(read.on("log").size() == 4 * kCount);
    CHECK(readFile(folder / "trace.vcd").find("$enddefinitions") != std::string::npos);
}

TEST_CASE("only the chosen kind is written [E-6]") {
    const TemporaryFolder folder;
    LiveTraces traces("perfetto", folder / "");
    playDevice(traces.events, 3);
    playCalls(traces.events, 0, 3);
    traces.end(10'000);
    CHECK(findPerfettoError(readPerfetto(readFile(folder / "trace.perfetto-trace"))) == "");
    CHECK_FALSE(std::filesystem::exists(folder / "trace.vcd"));
}

TEST_CASE("unknown and repeated kinds are refused") {
    CHECK_NOTHROW(TraceFiles::checkKinds(""));
    CHECK_NOTHROW(TraceFiles::checkKinds("vcd,perfetto"));
    CHECK_THROWS_WITH_AS(TraceFiles::checkKinds("svg"),
                         "--trace is \"svg\", expected vcd, perfetto or both with a comma",
                         InputError);
    CHECK_THROWS_AS(TraceFiles::checkKinds("vcd,vcd"), InputError);
    CHECK_THROWS_AS(TraceFiles::checkKinds("vcd,,perfetto"), InputError);
}

TEST_CASE("a missing folder is reported") {
    const TemporaryFolder folder;
    CHECK_THROWS_AS(TraceFiles("vcd", folder / "none"), InputError);
}

TEST_SUITE_END();

}  // namespace
