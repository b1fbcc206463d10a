// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/comparison_report.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace {

using namespace vnpu::sim;

/// `count` layers with long names that are 10 % slower, and one that is gone.
Comparison slower(int count) {
    ResultSet before("run", "default"), after("run", "default");
    before.source = "out/a";
    after.source = "out/b";
    before.row("layer", "gone").figures = {{"cycles", 1.0}};
    for (int i = 0; i < count; ++i) {
        const std::string name = "camera: a/very/long/name/of/a/layer/within/blocks/number/" +
                                 std::to_string(i) + "/conv";
        before.row("layer", name).figures = {{"cycles", 123'456'789'012'345.5}};
        after.row("layer", name).figures = {{"cycles", 135'802'467'913'580.25}};
    }
    return compareResults(before, after, {});
}

}  // namespace

TEST_SUITE_BEGIN("sim/compare/comparison_report");

TEST_CASE("the table has at most 120 columns, whatever the names") {
    std::istringstream lines(comparisonText(slower(3), 40));
    std::string line;
    while (std::getline(lines, line)) {
        CHECK_MESSAGE(line.size() <= 120, line);
    }
}

TEST_CASE("the text names layer, numbers, change, tolerance, counts and meaning") {
    ResultSet before("run", "default"), after("run", "default");
    before.row("layer", "camera: conv4").figures = {{"cycles", 10'000}};
    after.row("layer", "camera: conv4").figures = {{"cycles", 11'000}};
    before.source = "out/a";
    after.source = "out/b";
    CHECK(comparisonText(compareResults(before, after, {}), 40) ==
          "run default: out/a -> out/b\n"
          "\n"
          "verdict     what                 quantity  before  after    change  allowed\n"
          "----------  -------------------  --------  ------  -----  --------  --------\n"
          "REGRESSION  layer camera: conv4  cycles     10000  11000  +10.00 %  1 % + 50\n"
          "\n"
          "1 regressions, 0 improvements, 0 changes without a direction; 1 figures of 1 rows, "
          "0 rows added, 0 removed\n"
          "\n"
          "quantities\n"
          "  cycles  device cycles of a layer, mean per execution; lower is better\n");
}

TEST_CASE("the text has the message of a case that fails") {
    ResultSet before("cases"), after("cases");
    before.row("case", "add").words = {{"result", "passed"}};
    after.row("case", "add").words = {{"result", "failed"}};
    after.row("case", "add").note = "element 1 is 6, expected 6.5";
    const std::string text = comparisonText(compareResults(before, after, {}), 40);
    CHECK(text.find("\n\ncase add: element 1 is 6, expected 6.5\n\n1 regressions") !=
          std::string::npos);
}

TEST_CASE("what is left out is counted") {
    const std::string text = comparisonText(slower(12), 5);
    CHECK(text.find("... and 7 more: REGRESSION") != std::string::npos);
    CHECK(text.find("removed: layer gone") != std::string::npos);
    CHECK(text.find("12 regressions") != std::string::npos);
}

TEST_CASE("JSON has all changes") {
    const auto json = nlohmann::json::parse(comparisonJson(slower(12)));
    CHECK(json["regressions"] == 12);
    CHECK(json["changes"].size() == 12);
    CHECK(json["changes"][0]["quantity"] == "cycles");
    CHECK(json["changes"][0]["before"] == 123'456'789'012'345.5);
    CHECK(json["removed"][0]["row"] == "gone");
}

TEST_SUITE_END();
