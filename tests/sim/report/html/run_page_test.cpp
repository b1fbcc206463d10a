// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/run_page.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/sim/report/html/unpacked.h"
#include "tests/sim/report/report_bench.h"

namespace {

using Integers = std::vector<std::uint64_t>;
using nlohmann::ordered_json;
using vnpu::sim::runPageData;
using vnpu::sim::TimelineColumns;
using vnpu::test::integersOf;
using vnpu::test::ReportBench;

TEST_SUITE_BEGIN("sim/report/html/run_page");

TEST_CASE("the page holds what metrics.json and layers.csv hold [E-6]") {
    const ReportBench bench;
    const ordered_json data = runPageData(bench.report, TimelineColumns());
    CHECK(data["kind"] == "run");
    CHECK(data["metrics"].dump(2) + "\n" == vnpu::sim::metricsJson(bench.report));
    CHECK(data["layers"] == vnpu::sim::layersCsv(bench.report));
    CHECK(data["settings"][1] == ordered_json({"", "clock_khz", 500'000, "kHz"}));
}

TEST_CASE("frames have their times after the arrival, and their jobs [E-6]") {
    const ReportBench bench;
    const ordered_json frames = runPageData(bench.report, TimelineColumns())["frames"];
    CHECK(integersOf(frames["client"]) == Integers{0, 0, 1});
    CHECK(integersOf(frames["frame"]) == Integers{4, 5, 0});
    CHECK(integersOf(frames["arrival_ns"]) == Integers{1998, 3998, 5000});
    CHECK(integersOf(frames["call_after"]) == Integers{2, 2, 4});
    CHECK(integersOf(frames["return_after"]) == Integers{244, 244, 10});
    CHECK(integersOf(frames["flags"]) == Integers{1, 1, 2 + 4 + 8});
    CHECK(integersOf(frames["job"]) == Integers{1, 2, 0});
    CHECK(frames["statuses"] == ordered_json({"NONE", "MISSED_DEADLINE_TRANSIENT"}));
}

TEST_CASE("jobs have the moments of their work after the submission [E-6]") {
    const ReportBench bench;
    const ordered_json data = runPageData(bench.report, TimelineColumns());
    const ordered_json& jobs = data["jobs"];
    CHECK(integersOf(jobs["id"]) == Integers{7, 8});
    CHECK(integersOf(jobs["client"]) == Integers{1, 1});
    CHECK(integersOf(jobs["frame"]) == Integers{5, 6});
    CHECK(integersOf(jobs["submit_ns"]) == Integers{2010, 4010});
    // Cycles 10, 100 and 110 of 2 ns after the call, which is 10 ns before; plus 1.
    CHECK(integersOf(jobs["start_after"]) == Integers{11, 11});
    CHECK(integersOf(jobs["finish_after"]) == Integers{191, 191});
    CHECK(integersOf(jobs["complete_after"]) == Integers{211, 211});
    CHECK(data["models"][0]["types"] == ordered_json({"CONV_2D", "SOFTMAX", "RESHAPE"}));
    CHECK(data["clients"][0]["operations"] == ordered_json({"conv", "probabilities", ""}));
    CHECK(data["clients"][0]["deadline_ns"] == 300);
}

TEST_SUITE_END();

}  // namespace
