// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/sweep_table.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace {

using namespace vnpu::sim;

/// Rows "slow" and "fast", two seeds; fast failed with seed 2.
Sweep twoRows() {
    Sweep sweep;
    sweep.name = "two";
    sweep.axes = {"kind"};
    sweep.seeds = {1, 2};
    sweep.columns = {"antt", "stp"};
    sweep.rows = {{.labels = {"slow"}, .scenario = "", .baseline = 0},
                  {.labels = {"fast"}, .scenario = "", .baseline = 0}};
    return sweep;
}

SweepOutcome outcome() {
    SweepOutcome made;
    made.points = {{.row = 0,
                    .seed = 1,
                    .isDone = true,
                    .answer = {.figures = {{"antt", 2.0}, {"stp", 1.0}}}},
                   {.row = 0,
                    .seed = 2,
                    .isDone = true,
                    .answer = {.figures = {{"antt", 6.0}, {"stp", {}}}}},
                   {.row = 1,
                    .seed = 1,
                    .isDone = true,
                    .answer = {.figures = {{"antt", 1.0}, {"stp", 3.0}}}},
                   {.row = 1, .seed = 2, .isDone = true, .answer = {.error = "no memory"}}};
    return made;
}

TEST_SUITE_BEGIN("sim/sweep/sweep_table");

TEST_CASE("figures are aggregated over the seeds that have a value") {
    const auto rows = aggregate(twoRows(), outcome());
    REQUIRE(rows.size() == 2);
    const Aggregate antt = rows[0].figures.at("antt");
    CHECK(antt.mean == 4.0);
    CHECK(antt.least == 2.0);
    CHECK(antt.most == 6.0);
    CHECK(antt.count == 2);
    CHECK(antt.ratio == 1.0);
    CHECK(rows[0].figures.at("stp").count == 1);
    CHECK(rows[1].figures.at("antt").ratio == 0.25);
    CHECK(rows[1].pointCount == 1);
    REQUIRE(rows[1].failures.size() == 1);
    CHECK(rows[1].failures[0].seed == 2);
}

TEST_CASE("the table shows mean, range, ratio and failures") {
    CHECK(sweepText(twoRows(), outcome()) ==
          "kind  seeds  antt  range  of base  stp  range  of base\n"
          "----  -----  ----  -----  -------  ---  -----  -------\n"
          "slow      2     4   2..6       x1    1   1..1       x1\n"
          "fast      1     1   1..1    x0.25    3   3..3       x3\n"
          "\nfailed\n"
          "  kind=fast seed 2: no memory\n");
}

TEST_CASE("with one seed and no baseline there are only the values") {
    Sweep sweep = twoRows();
    sweep.seeds = {1};
    sweep.rows[0].baseline.reset();
    sweep.rows[1].baseline.reset();
    SweepOutcome one = outcome();
    one.points = {one.points[0], one.points[2]};
    CHECK(sweepText(sweep, one) ==
          "kind  seeds  antt  stp\n"
          "----  -----  ----  ---\n"
          "slow      1     2    1\n"
          "fast      1     1    3\n");
}

TEST_CASE("points that never ran are not part of the rows") {
    SweepOutcome stopped = outcome();
    stopped.points[2].isDone = false;
    stopped.points[3].isDone = false;
    CHECK(aggregate(twoRows(), stopped).size() == 1);
}

TEST_CASE("failed executions are reported although the point counts") {
    SweepOutcome made = outcome();
    made.points[0].answer.failedExecutions = 3;
    made.points[0].answer.failure = "camera: 3 of 9 executions failed";
    const auto rows = aggregate(twoRows(), made);
    CHECK(rows[0].pointCount == 2);
    REQUIRE(rows[0].failures.size() == 1);
    CHECK(rows[0].failures[0].error ==
          "3 executions failed or gave other outputs, the rest is in the table; camera: 3 of 9 "
          "executions failed");
}

TEST_CASE("a row is a case that fails with its points, and is skipped if one was not run") {
    SweepOutcome stopped = outcome();
    auto cases = vnpu::sim::casesOf(twoRows(), stopped);
    REQUIRE(cases.size() == 2);
    CHECK(cases[0].name.name == "kind=slow");
    CHECK(cases[0].result == vnpu::sim::CaseResult::kPassed);
    CHECK(cases[0].figures.front() == std::pair<std::string, std::string>("antt", "4"));
    CHECK(cases[1].result == vnpu::sim::CaseResult::kFailed);
    CHECK(cases[1].message == "1 of 2 points failed; seed 2: no memory");
    stopped.points[1].isDone = false;
    cases = vnpu::sim::casesOf(twoRows(), stopped);
    CHECK(cases[0].result == vnpu::sim::CaseResult::kSkipped);
}

TEST_CASE("the files for programs hold the same") {
    CHECK(sweepCsv(twoRows(), outcome()) ==
          "kind,seeds,antt_mean,antt_min,antt_max,antt_ratio,stp_mean,stp_min,stp_max,stp_"
          "ratio\n"
          "slow,2,4,2,6,1,1,1,1,1\n"
          "fast,1,1,1,1,0.25,3,3,3,3\n");
    CHECK(pointsCsv(twoRows(), outcome()) ==
          "kind,seed,antt,stp\n"
          "slow,1,2,1\n"
          "slow,2,6,\n"
          "fast,1,1,3\n");
    const auto json = nlohmann::json::parse(sweepJson(twoRows(), outcome()));
    CHECK(json["format"] == 1);
    CHECK(json["rows"][1]["labels"]["kind"] == "fast");
    CHECK(json["rows"][1]["failures"][0]["error"] == "no memory");
    CHECK(json["rows"][0]["figures"]["antt"]["mean"] == 4.0);
    CHECK(json["rows"][1]["figures"]["antt"]["ratio"] == 0.25);
}

TEST_CASE("a baseline of zero gives no ratio") {
    SweepOutcome made = outcome();
    made.points[0].answer.figures = {{"antt", 0.0}};
    made.points[1].answer.figures = {{"antt", 0.0}};
    CHECK_FALSE(aggregate(twoRows(), made)[1].figures.at("antt").ratio);
}

TEST_CASE("the legend has the columns that the table has") {
    Sweep sweep = twoRows();
    sweep.columns = {"antt", "p99_ms.high"};
    const std::string legend = sweepLegend(sweep);
    CHECK(legend.find("  antt         mean of the clients' ntt") != std::string::npos);
    CHECK(legend.find("99th percentile; of this priority\n") != std::string::npos);
    CHECK(legend.find("\n  range ") != std::string::npos);
    CHECK(legend.find("\n  of base ") != std::string::npos);
    CHECK(legend.find("stp") == std::string::npos);
    sweep.seeds = {1};
    sweep.rows[0].baseline.reset();
    CHECK(sweepLegend(sweep).find("range") == std::string::npos);
    CHECK(sweepLegend(sweep).find("of base") == std::string::npos);
}

TEST_SUITE_END();

}  // namespace
