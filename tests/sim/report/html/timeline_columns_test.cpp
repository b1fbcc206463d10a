// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/timeline_columns.h"

#include <doctest/doctest.h>

#include <vector>

#include "sim/trace/event_stream.h"
#include "tests/sim/report/html/unpacked.h"
#include "tests/sim/trace/recorded_run.h"

namespace {

using Integers = std::vector<std::uint64_t>;
using nlohmann::ordered_json;
using vnpu::sim::EventStream;
using vnpu::sim::TimelineColumns;
using vnpu::test::integersOf;

/// Two executions of smallModel(), from cycles 1000 and 2000 on; a cycle is 2 ns.
void playTwo(TimelineColumns& columns) {
    EventStream stream(vnpu::test::halfGigahertz(), vnpu::test::twoClients());
    stream.addSink(columns);
    stream.begin();
    vnpu::test::playExecution(stream, 1000, 7, 3, vnpu::test::smallModel(), 4);
    vnpu::test::playExecution(stream, 2000, 8, 4, vnpu::test::smallModel(), 5);
    stream.end(5010);
}

ordered_json laneOf(const ordered_json& json, const char* name) {
    for (const ordered_json& lane : json["lanes"]) {
        if (lane["name"] == name) {
            return lane["commands"];
        }
    }
    FAIL("no lane " << name);
    return {};
}

TEST_SUITE_BEGIN("sim/report/html/timeline_columns");

TEST_CASE("each engine with commands has a lane with their times and counts [E-6]") {
    TimelineColumns columns;
    playTwo(columns);
    const ordered_json json = columns.json();
    CHECK(json["lanes"].size() == 4);  // dma0, dma2, mac, vector
    CHECK(json["end_ns"] == 5010);
    CHECK(json["kept_until_ns"].is_null());
    const ordered_json dma2 = laneOf(json, "dma2");
    CHECK(integersOf(dma2["start_ns"]) == Integers{2150, 2190, 4150, 4190});
    CHECK(integersOf(dma2["length_ns"]) == Integers{40, 10, 40, 10});
    CHECK(integersOf(dma2["queued_ns"]) == Integers{118, 156, 118, 156});
    CHECK(integersOf(dma2["job"]) == Integers{1, 1, 2, 2});        // numbers + 1
    CHECK(integersOf(dma2["operation"]) == Integers{2, 0, 2, 0});  // #1, none
    CHECK(integersOf(dma2["command"]) == Integers{0, 1, 0, 1});
    CHECK(integersOf(dma2["dram_bytes"]) == Integers{64, 8, 64, 8});
    const ordered_json mac = laneOf(json, "mac");
    CHECK(integersOf(mac["start_ns"]) == Integers{2060, 4060});
    CHECK(integersOf(mac["wait_ns"]) == Integers{20, 20});
    CHECK(integersOf(mac["busy_cycles"]) == Integers{28, 28});
    CHECK(integersOf(mac["sram_stall_cycles"]) == Integers{2, 2});
    CHECK(integersOf(mac["operations"]) == Integers{1000, 1000});
    CHECK(integersOf(laneOf(json, "dma0")["dram_stall_cycles"]) == Integers{2, 2});
}

TEST_CASE("events of firmware and interrupt line have their jobs and names [E-6]") {
    TimelineColumns columns;
    playTwo(columns);
    const ordered_json json = columns.json();
    CHECK(json["firmware"]["names"] == ordered_json({"job-start", "job-end"}));
    CHECK(integersOf(json["firmware"]["time_ns"]) == Integers{2016, 2210, 4016, 4210});
    CHECK(integersOf(json["firmware"]["name"]) == Integers{0, 1, 0, 1});
    CHECK(integersOf(json["firmware"]["job"]) == Integers{1, 1, 2, 2});
    CHECK(integersOf(json["interrupts"]["time_ns"]) == Integers{2212, 2216, 4212, 4216});
    CHECK(integersOf(json["power"]["time_ns"]).empty());  // one level, never asleep
}

TEST_CASE("beyond the limit events are counted, and the usage goes on") {
    TimelineColumns columns(6);
    playTwo(columns);
    // Each execution has five commands, two events of the firmware, two of the interrupt line.
    CHECK(columns.kept() == 6);
    CHECK(columns.leftOut() == 12);
    REQUIRE(columns.keptUntilNs().has_value());
    CHECK(*columns.keptUntilNs() == 2210);  // the end of the first job
    const ordered_json json = columns.json();
    CHECK(json["left_out"] == 12);
    CHECK(json["kept_until_ns"] == 2210);
    double macOperations = 0.0;
    for (const double window : vnpu::test::numbersOf(json["usage"]["mac_operations"])) {
        macOperations += window;
    }
    CHECK(macOperations == doctest::Approx(2000.0));
}

TEST_SUITE_END();

}  // namespace
