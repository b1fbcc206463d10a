// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/sweep_page.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/sim/report/html/unpacked.h"
#include "tests/support/browser.h"

namespace {

using nlohmann::ordered_json;
using vnpu::sim::Sweep;
using vnpu::sim::SweepOutcome;
using vnpu::sim::sweepPageData;
using vnpu::test::integersOf;
using vnpu::test::numbersOf;

/// Rates 10 and 20 with "a" and "b", two seeds; the last row failed, and its seed 2 never ran.
Sweep fourRows() {
    Sweep sweep;
    sweep.name = "four";
    sweep.axes = {"rate_hz", "kind"};
    sweep.seeds = {1, 2};
    sweep.columns = {"antt"};
    sweep.rows = {{.labels = {"10", "a"}, .scenario = "", .baseline = 0},
                  {.labels = {"10", "b"}, .scenario = "", .baseline = 0},
                  {.labels = {"20", "a"}, .scenario = "", .baseline = 2},
                  {.labels = {"20", "b"}, .scenario = "", .baseline = 2}};
    return sweep;
}

SweepOutcome outcomeOf(double base) {
    SweepOutcome made;
    const auto add = [&](std::size_t row, std::uint64_t seed, double antt) {
        made.points.push_back({.row = row,
                               .seed = seed,
                               .isDone = true,
                               .answer = {.figures = {{"antt", antt}, {"stp", {}}}}});
    };
    add(0, 1, base);
    add(0, 2, base + 2);
    add(1, 1, 6 * base);
    add(2, 1, 8 * base);
    made.points.push_back(
            {.row = 3, .seed = 1, .isDone = true, .answer = {.error = "</script> no memory"}});
    made.points.push_back({.row = 3, .seed = 2});
    return made;
}

TEST_SUITE_BEGIN("sim/sweep/sweep_page");

TEST_CASE("axes, figures and failures are columns of rows") {
    const ordered_json data = sweepPageData(fourRows(), outcomeOf(1.0));
    CHECK(data["kind"] == "sweep");
    CHECK(data["points_done"] == 5);
    CHECK(data["point_count"] == 6);
    CHECK(data["has_baseline"] == true);
    REQUIRE(data["axes"].size() == 2);
    CHECK(data["axes"][0]["labels"] == ordered_json({"10", "20"}));
    CHECK(integersOf(data["axes"][0]["label"]) == std::vector<std::uint64_t>{0, 0, 1, 1});
    CHECK(integersOf(data["axes"][1]["label"]) == std::vector<std::uint64_t>{0, 1, 0, 1});
    CHECK(integersOf(data["points"]) == std::vector<std::uint64_t>{2, 1, 1, 0});
    REQUIRE(data["figures"].size() == 1);  // stp has no value anywhere
    const ordered_json& antt = data["figures"][0];
    CHECK(antt["name"] == "antt");
    const std::vector<double> mean = numbersOf(antt["mean"]);
    REQUIRE(mean.size() == 4);
    CHECK(mean[0] == 2.0);  // of 1 and 3
    CHECK(mean[1] == 6.0);
    CHECK(std::isnan(mean[3]));
    CHECK(numbersOf(antt["min"])[0] == 1.0);
    CHECK(numbersOf(antt["max"])[0] == 3.0);
    CHECK(numbersOf(antt["ratio"])[1] == 3.0);  // 6 over 2
    CHECK(data["failures"] ==
          ordered_json::array({{"rate_hz=20 kind=b", 1, "</script> no memory"}}));
}

TEST_CASE("a browser draws the page of a sweep without a message, with its numbers") {
    const std::string program = vnpu::test::browser();
    if (program.empty()) {
        return;
    }
    const auto result =
            vnpu::test::openedPage(program, vnpu::sim::sweepPage(fourRows(), outcomeOf(1.25)));
    vnpu::test::checkNoMessage(result);
    vnpu::test::checkHolds(result, "<h1 id=\"title\">sweep four</h1>");
    vnpu::test::checkHolds(result, "2.25 (1.25..3.25)");  // of 1.25 and 3.25
    vnpu::test::checkHolds(result, "×3.33");              // 7.5 over 2.25
    vnpu::test::checkHolds(result, "&lt;/script&gt; no memory");
    vnpu::test::checkHolds(result, "aria-label=\"rate_hz = 20, kind = a\"");
    vnpu::test::checkHolds(result, "of 6: interrupted");
}

TEST_CASE("a sweep without a result has a page that says so") {
    const std::string program = vnpu::test::browser();
    if (program.empty()) {
        return;
    }
    SweepOutcome none;
    none.points = {{.row = 0, .seed = 1}};
    const auto result = vnpu::test::openedPage(program, vnpu::sim::sweepPage(fourRows(), none));
    vnpu::test::checkNoMessage(result);
    vnpu::test::checkHolds(result, "No row has a result.");
}

TEST_SUITE_END();

}  // namespace
