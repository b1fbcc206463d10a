// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/perfetto_sink.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "sim/trace/event_stream.h"
#include "tests/sim/trace/perfetto_reader.h"
#include "tests/sim/trace/recorded_run.h"

namespace {

using vnpu::driver::ErrorStatus;
using vnpu::hw::Engine;
using vnpu::sim::EventStream;
using vnpu::sim::PerfettoSink;
using vnpu::test::findPerfettoError;
using vnpu::test::halfGigahertz;
using vnpu::test::PerfettoEvent;
using vnpu::test::PerfettoTrace;
using vnpu::test::playExecution;
using vnpu::test::readPerfetto;
using vnpu::test::smallModel;
using vnpu::test::twoClients;

std::string bytesOf(const std::function<void(EventStream&)>& play) {
    std::ostringstream out;
    PerfettoSink sink(out);
    EventStream stream(halfGigahertz(), twoClients());
    stream.addSink(sink);
    stream.begin();
    play(stream);
    stream.end(50'000);
    return out.str();
}

PerfettoTrace twoExecutions() {
    return readPerfetto(bytesOf([](EventStream& stream) {
        playExecution(stream, 1000, 7, 3, smallModel());
        playExecution(stream, 11'000, 8, 4, smallModel());
    }));
}

/// The track's events as "100 +name", "120 -", "110 .mark".
std::vector<std::string> linesOf(const std::vector<PerfettoEvent>& events) {
    std::vector<std::string> lines;
    for (const PerfettoEvent& event : events) {
        const char* marks[] = {"?", "+", "-", "."};
        lines.push_back(std::to_string(event.timeNs) + " " +
                        (event.type <= 3 ? marks[event.type] : "?") + event.name);
    }
    return lines;
}

std::vector<std::string> firstOf(std::vector<std::string> lines, std::size_t count) {
    lines.resize(std::min(lines.size(), count));
    return lines;
}

using Lines = std::vector<std::string>;

TEST_SUITE_BEGIN("sim/trace/perfetto_sink");

TEST_CASE("the trace follows the rules of track events [E-6]") {
    const PerfettoTrace trace = twoExecutions();
    CHECK(findPerfettoError(trace) == "");
    CHECK(trace.startsCleared);
}

TEST_CASE("tracks are grouped as clients, driver and device [E-6]") {
    const PerfettoTrace trace = twoExecutions();
    std::vector<std::string> paths;
    for (const auto& [uuid, track] : trace.tracks) {
        if (track.parent != 0 && !track.isCounter) {
            paths.push_back(trace.pathOf(uuid));
        }
    }
    CHECK(paths == Lines{"clients/camera (zoo:small)", "clients/keyword (zoo:other)",
                         "driver/jobs of camera", "driver/jobs of keyword", "driver/jobs of others",
                         "driver/log", "npu half/interrupt line", "npu half/firmware",
                         "npu half/dma0", "npu half/dma1", "npu half/dma2", "npu half/dma3",
                         "npu half/mac", "npu half/vector", "npu half/faults"});
}

TEST_CASE("the call is nested in the client's frame [E-6]") {
    CHECK(firstOf(linesOf(twoExecutions().on("camera (zoo:small)")), 5) ==
          Lines{"2000 +frame 4", "2000 +executeSynchronously_1_3", "2240 -", "2242 .NONE",
                "2242 -"});
}

TEST_CASE("calls of other users are shown side by side, by UID [E-5] [E-6]") {
    const PerfettoTrace trace = readPerfetto(bytesOf([](EventStream& stream) {
        using std::chrono::nanoseconds;
        stream.onCallBegin(nanoseconds(100), "prepareModel_1_3", 1, 10'777);
        stream.onCallBegin(nanoseconds(150), "allocate", 2, 10'777);
        stream.onCallBegin(nanoseconds(160), "getVersionString", 3, 10'778);
        stream.onCallEnd(nanoseconds(170), 1, ErrorStatus::NONE);
        stream.onCallEnd(nanoseconds(180), 3, ErrorStatus::GENERAL_FAILURE);
        stream.onCallEnd(nanoseconds(190), 2, ErrorStatus::NONE);
        stream.onCallBegin(nanoseconds(200), "allocate", 4, 10'777);
        stream.onCallEnd(nanoseconds(210), 4, ErrorStatus::NONE);
    }));
    CHECK(findPerfettoError(trace) == "");
    CHECK(linesOf(trace.on("calls of uid 10777")) == Lines{"100 +prepareModel_1_3", "150 +allocate",
                                                           "170 -", "190 -", "200 +allocate",
                                                           "210 -"});
    CHECK(linesOf(trace.on("calls of uid 10778")) ==
          Lines{"160 +getVersionString", "180 .GENERAL_FAILURE", "180 -"});
}

TEST_CASE("a job's queueing and running are shown [E-6]") {
    CHECK(firstOf(linesOf(twoExecutions().on("jobs of camera")), 6) ==
          Lines{"2010 +job 7", "2010 +queued", "2016 -", "2016 +on device", "2210 -", "2220 -"});
}

TEST_CASE("the firmware's job and the interrupt line are shown [E-6]") {
    CHECK(firstOf(linesOf(twoExecutions().on("firmware")), 2) ==
          Lines{"2016 +job 7 of camera", "2210 -"});
    CHECK(firstOf(linesOf(twoExecutions().on("interrupt line")), 2) ==
          Lines{"2212 +interrupt", "2216 -"});
}

TEST_CASE("an engine's slices are named by operation and tile, with arguments [E-6]") {
    const PerfettoTrace trace = twoExecutions();
    CHECK(firstOf(linesOf(trace.on("mac")), 2) == Lines{"2060 +CONV_2D #0 tile 0", "2120 -"});
    const PerfettoEvent conv = trace.on("mac").front();
    CHECK(conv.category == "mac.conv");
    CHECK(conv.arguments.at("job") == 7);
    CHECK(conv.arguments.at("busy_cycles") == 28);
    CHECK(conv.arguments.at("token_stall_cycles") == 10);
    CHECK(conv.arguments.at("sram_stall_cycles") == 2);
    CHECK(conv.arguments.at("operations") == 1000);
    CHECK(conv.arguments.count("dram_bytes") == 0);
    CHECK(trace.on("dma0").front().arguments.at("dram_bytes") == 640);
    CHECK(firstOf(linesOf(trace.on("dma2")), 4) ==
          Lines{"2150 +SOFTMAX #1 tile 0", "2190 -", "2190 +dma.fill", "2200 -"});
}

TEST_CASE("one flow leads from the call over driver and firmware to each engine and back [E-6]") {
    const PerfettoTrace trace = twoExecutions();
    const std::uint64_t flow = trace.on("camera (zoo:small)")[1].flows.at(0);
    std::vector<std::string> path;
    for (const PerfettoEvent& event : trace.events) {
        const bool passes = std::count(event.flows.begin(), event.flows.end(), flow) != 0;
        const bool ends =
                std::count(event.terminatingFlows.begin(), event.terminatingFlows.end(), flow) != 0;
        if (passes || ends) {
            path.push_back(trace.tracks.at(event.track).name + (ends ? " (end)" : ""));
        }
    }
    CHECK(path == Lines{"camera (zoo:small)", "jobs of camera", "firmware", "dma0", "mac", "vector",
                        "dma2", "camera (zoo:small) (end)"});
    CHECK(trace.on("firmware")[2].flows.at(0) != flow);  // the second execution has its own flow
}

TEST_CASE("DRAM traffic and MAC utilization are counted in windows [E-6]") {
    const PerfettoTrace trace = twoExecutions();
    const auto dram = trace.on("DRAM traffic");
    REQUIRE(dram.size() == 4);
    // 712 bytes in the first 10 us, then nothing, then again in the window that begins at 20
    // us.
    CHECK(dram[0].timeNs == 0);
    CHECK(dram[0].value == doctest::Approx(0.0712));
    CHECK(dram[1].timeNs == 10'000);
    CHECK(dram[1].value == 0.0);
    CHECK(dram[2].timeNs == 20'000);
    CHECK(dram[2].value == doctest::Approx(0.0712));
    CHECK(dram[3].value == 0.0);
    // 1000 MACs of 5000 cycles with 256 each.
    const auto mac = trace.on("MAC utilization");
    REQUIRE(mac.size() == 4);
    CHECK(mac[0].value == doctest::Approx(100.0 * 1000.0 / (5000.0 * 256.0)));
    const auto queue = trace.on("dma2 queue");
    REQUIRE(!queue.empty());
    CHECK(queue[0].value == 2.0);
}

TEST_CASE("overlapping commands of one engine are on tracks of the same name [E-6]") {
    const PerfettoTrace trace = readPerfetto(bytesOf([](EventStream& stream) {
        for (std::uint32_t i = 0; i < 3; ++i) {
            stream.onEngineCommand({.engine = Engine::kMac,
                                    .opcode = vnpu::hw::Opcode::kMacConv,
                                    .jobId = 1,
                                    .operation = 0,
                                    .index = i,
                                    .startCycle = 10 * i,
                                    .endCycle = 10 * i + 15});
        }
    }));
    CHECK(findPerfettoError(trace) == "");
    std::vector<std::uint64_t> tracks;
    for (const PerfettoEvent& event : trace.on("mac")) {
        if (event.type == 1) {
            tracks.push_back(event.track);
        }
    }
    REQUIRE(tracks.size() == 3);
    CHECK(tracks[0] != tracks[1]);
    CHECK(tracks[0] == tracks[2]);  // free again
}

TEST_CASE("a failed execution is marked [E-6]") {
    const PerfettoTrace trace = readPerfetto(bytesOf([](EventStream& stream) {
        const auto model = smallModel();
        stream.beginFrame(0, 0, 0, 0);
        stream.onCallBegin(std::chrono::nanoseconds(0), "execute_1_3", 1, 10101);
        stream.onJobSubmitted(std::chrono::nanoseconds(5), 2, 1, model);
        stream.onFault(4, Engine::kDma1, vnpu::hw::JobStatus::kMmuFault, "page 0x1000");
        stream.onLog(std::chrono::nanoseconds(9), "job 2 failed");
        stream.onJobCompleted(std::chrono::nanoseconds(10), 2, ErrorStatus::GENERAL_FAILURE);
        stream.onCallEnd(std::chrono::nanoseconds(11), 1, ErrorStatus::GENERAL_FAILURE);
        stream.endFrame(0, 12, "GENERAL_FAILURE");
    }));
    CHECK(findPerfettoError(trace) == "");
    CHECK(linesOf(trace.on("jobs of camera")) ==
          Lines{"5 +job 2", "5 +queued", "10 -", "10 .GENERAL_FAILURE", "10 -"});
    CHECK(linesOf(trace.on("camera (zoo:small)")) == Lines{"0 +frame 0", "0 +execute_1_3",
                                                           "11 .GENERAL_FAILURE", "11 -",
                                                           "12 .GENERAL_FAILURE", "12 -"});
    REQUIRE(trace.on("faults").size() == 1);
    CHECK(trace.on("faults")[0].name == "dma1: mmu-fault");
    CHECK(trace.on("faults")[0].text == "page 0x1000");
    CHECK(trace.on("log")[0].text == "job 2 failed");
}

TEST_CASE("the placement of a buffer is an instant in the log's track [MD-2] [E-6]") {
    using vnpu::driver::MemoryPlace;
    const PerfettoTrace trace = readPerfetto(bytesOf([](EventStream& stream) {
        stream.onBufferPlaced(std::chrono::nanoseconds(7),
                              {.uid = 1, .sizeBytes = 96, .place = MemoryPlace::kOnChip});
        stream.onBufferPlaced(std::chrono::nanoseconds(9),
                              {.uid = 1, .sizeBytes = 5000, .place = MemoryPlace::kDeviceDram});
    }));
    CHECK(findPerfettoError(trace) == "");
    REQUIRE(trace.on("log").size() == 2);
    CHECK(trace.on("log")[0].name == "buffer on chip");
    CHECK(trace.on("log")[0].text == "96 bytes");
    CHECK(trace.on("log")[1].name == "buffer in DRAM");
    CHECK(trace.on("log")[1].text == "5000 bytes");
}

TEST_CASE("a copy by the host is an instant in the log's track [MP-6] [E-6]") {
    const PerfettoTrace trace = readPerfetto(bytesOf(
            [](EventStream& stream) { stream.onHostCopy(std::chrono::nanoseconds(7), 512); }));
    CHECK(findPerfettoError(trace) == "");
    REQUIRE(trace.on("log").size() == 1);
    CHECK(trace.on("log")[0].name == "host copy");
    CHECK(trace.on("log")[0].text == "512 bytes");
}

TEST_CASE("a device with clock levels has a power track [E-6]") {
    using vnpu::hw::regs::PowerState;
    std::ostringstream out;
    PerfettoSink sink(out);
    vnpu::hw::NpuConfig config = halfGigahertz();
    config.power.level1Khz = 200'000;
    EventStream stream(config, twoClients());
    stream.addSink(sink);
    stream.begin();
    stream.onPowerState(10, PowerState::kSwitching, 1);
    stream.onPowerState(20, PowerState::kActive, 1);
    stream.onPowerState(30, PowerState::kSuspending, 1);
    stream.onPowerState(40, PowerState::kSuspended, 1);
    stream.onPowerState(50, PowerState::kResuming, 1);
    stream.end(120);
    const PerfettoTrace trace = readPerfetto(out.str());
    CHECK(findPerfettoError(trace) == "");
    CHECK(linesOf(trace.on("power")) ==
          Lines{"0 +active 500 MHz", "20 -", "20 +switching to 200 MHz", "40 -",
                "40 +active 200 MHz", "60 -", "60 +suspending", "80 -", "80 +suspended", "100 -",
                "100 +resuming", "120 -"});
}

TEST_CASE("equal runs give equal traces [E-4]") {
    const auto play = [](EventStream& stream) { playExecution(stream, 1000, 7, 3, smallModel()); };
    CHECK(bytesOf(play) == bytesOf(play));
}

TEST_SUITE_END();

}  // namespace
