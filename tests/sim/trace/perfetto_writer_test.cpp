// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/perfetto_writer.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>
#include <sstream>

#include "tests/sim/trace/perfetto_reader.h"

namespace {

using vnpu::sim::PerfettoWriter;
using vnpu::test::findPerfettoError;
using vnpu::test::PerfettoTrace;
using vnpu::test::readPerfetto;

PerfettoTrace traceOf(const std::function<void(PerfettoWriter&)>& write) {
    std::ostringstream out;
    {
        PerfettoWriter writer(out);
        writer.addProcess(1, 7, "group", 1);
        writer.addTrack(2, 1, "track", 1);
        writer.addCounter(3, 1, "bytes", "GB/s", 2);
        write(writer);
    }
    return readPerfetto(out.str());
}

TEST_SUITE_BEGIN("sim/trace/perfetto_writer");

TEST_CASE("processes, tracks and counters are described [E-6]") {
    const PerfettoTrace trace = traceOf([](PerfettoWriter&) {});
    CHECK(trace.startsCleared);
    REQUIRE(trace.tracks.size() == 3);
    CHECK(trace.tracks.at(1).name == "group");
    CHECK(trace.tracks.at(1).processId == 7);
    CHECK(trace.pathOf(2) == "group/track");
    CHECK(trace.tracks.at(3).isCounter);
    CHECK(trace.tracks.at(3).unit == "GB/s");
}

TEST_CASE("slices are written with names, arguments and flows [E-6]") {
    const PerfettoTrace trace = traceOf([](PerfettoWriter& writer) {
        writer.beginSlice(2, 100,
                          {.name = "outer",
                           .category = "c",
                           .flows = {5, 6},
                           .terminatingFlows = {7},
                           .arguments = {{"bytes", 640}},
                           .text = {}});
        writer.addInstant(2, 110,
                          {.name = "mark",
                           .category = "c",
                           .flows = {},
                           .terminatingFlows = {},
                           .arguments = {},
                           .text = "why"});
        writer.endSlice(2, 120);
    });
    CHECK(findPerfettoError(trace).empty());
    REQUIRE(trace.events.size() == 3);
    CHECK(trace.events[0].timeNs == 100);
    CHECK(trace.events[0].type == 1);
    CHECK(trace.events[0].name == "outer");
    CHECK(trace.events[0].category == "c");
    CHECK(trace.events[0].flows == std::vector<std::uint64_t>{5, 6});
    CHECK(trace.events[0].terminatingFlows == std::vector<std::uint64_t>{7});
    CHECK(trace.events[0].arguments.at("bytes") == 640);
    CHECK(trace.events[1].type == 3);
    CHECK(trace.events[1].text == "why");
    CHECK(trace.events[2].type == 2);
}

TEST_CASE("counters are written [E-6]") {
    const PerfettoTrace trace =
            traceOf([](PerfettoWriter& writer) { writer.setCounter(3, 100, 2.5); });
    REQUIRE(trace.events.size() == 1);
    CHECK(trace.events[0].type == 4);
    CHECK(trace.events[0].value == 2.5);
}

TEST_CASE("a name is written once [E-6]") {
    std::ostringstream one;
    std::ostringstream many;
    const std::string name(1000, 'n');
    {
        PerfettoWriter writer(one);
        writer.addTrack(2, 0, "t", 1);
        writer.addInstant(2, 1,
                          {.name = name,
                           .category = "c",
                           .flows = {},
                           .terminatingFlows = {},
                           .arguments = {},
                           .text = {}});
    }
    {
        PerfettoWriter writer(many);
        writer.addTrack(2, 0, "t", 1);
        for (int i = 0; i < 10; ++i) {
            writer.addInstant(2, 1,
                              {.name = name,
                               .category = "c",
                               .flows = {},
                               .terminatingFlows = {},
                               .arguments = {},
                               .text = {}});
        }
    }
    CHECK(many.str().size() < one.str().size() + 9 * 40);
    CHECK(readPerfetto(many.str()).events.back().name == name);
}

TEST_CASE("names are written in full once the table is full [E-6]") {
    const PerfettoTrace trace = traceOf([](PerfettoWriter& writer) {
        for (std::size_t i = 0; i < PerfettoWriter::kMaxNames + 2; ++i) {
            const std::string name = fmt::format("name {}", i);
            writer.addInstant(2, i,
                              {.name = name,
                               .category = "c",
                               .flows = {},
                               .terminatingFlows = {},
                               .arguments = {},
                               .text = {}});
        }
    });
    CHECK(trace.events.back().name == fmt::format("name {}", PerfettoWriter::kMaxNames + 1));
    CHECK(trace.events.front().name == "name 0");
}

TEST_SUITE_END();

}  // namespace
