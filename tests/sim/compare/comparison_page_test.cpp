// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/comparison_page.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/browser.h"

namespace {

using nlohmann::ordered_json;
using namespace vnpu::sim;

constexpr const char* kHostileName = "camera: <b>conv</b> & \"more\"";

/// One layer 10 % slower, one at half its cycles, one 0.5 % slower, which is allowed; transfers
/// that were none before; a case of the same kind of results that failed; a clock of another
/// frequency; a layer more and one less.
Comparison someComparison(bool isStrict = false) {
    ResultSet before("run", "default"), after("run", "default");
    before.source = "out/a";
    after.source = "out/b";
    before.row("layer", kHostileName).figures = {{"cycles", 10'000}, {"dram_bytes", 0}};
    after.row("layer", kHostileName).figures = {{"cycles", 11'000}, {"dram_bytes", 64}};
    before.row("layer", "fast").figures = {{"cycles", 4'000}};
    after.row("layer", "fast").figures = {{"cycles", 2'000}};
    before.row("layer", "same").figures = {{"cycles", 10'000}};
    after.row("layer", "same").figures = {{"cycles", 10'050}};
    before.row("case", "add").words = {{"result", "passed"}};
    after.row("case", "add").words = {{"result", "failed"}};
    after.row("case", "add").note = "element 1 is 6, expected 6.5";
    before.row("config", "of the device").figures = {{"clock_hz", 1e9}};
    after.row("config", "of the device").figures = {{"clock_hz", 5e8}};
    before.row("layer", "gone").figures = {{"cycles", 1}};
    after.row("layer", "new").figures = {{"cycles", 77}};
    CompareOptions options{.isStrict = isStrict};
    options.tolerances.add("cycles=2%", "--tolerance");
    return compareResults(before, after, options);
}

/// The entry of a list whose values of these keys are so; fails the test if there is none.
ordered_json entryWith(const ordered_json& list, const ordered_json& wanted) {
    for (const ordered_json& entry : list) {
        ordered_json same = ordered_json::object();
        for (const auto& [key, value] : wanted.items()) {
            same[key] = entry.at(key);
        }
        if (same == wanted) {
            return entry;
        }
    }
    FAIL("no entry ", wanted.dump());
    return {};
}

TEST_SUITE_BEGIN("sim/compare/comparison_page");

TEST_CASE("changes have their numbers, relative change and tolerance, the worst first") {
    const ordered_json data = comparisonPageData(someComparison());
    CHECK(data["kind"] == "compare");
    CHECK(data["results"] == "run");
    CHECK(data["before"] == ordered_json({{"source", "out/a"}, {"subject", "default"}}));
    REQUIRE(data["changes"].size() == 4);
    const ordered_json& bytes = data["changes"][0];
    CHECK(data["changes"][1]["note"] == "element 1 is 6, expected 6.5");
    CHECK(data["changes"][1]["before"] == "passed");
    CHECK(bytes["quantity"] == "dram_bytes");
    CHECK(bytes["is_from_zero"] == true);
    CHECK(bytes["relative"].is_null());
    CHECK(data["changes"][2] == ordered_json({{"verdict", "REGRESSION"},
                                              {"kind", "layer"},
                                              {"row", kHostileName},
                                              {"quantity", "cycles"},
                                              {"before", 10'000.0},
                                              {"after", 11'000.0},
                                              {"relative", 0.1},
                                              {"is_from_zero", false},
                                              {"allowed", "2 %"},
                                              {"note", ""}}));
    CHECK(data["changes"][3]["verdict"] == "improvement");
    CHECK(data["changes"][3]["relative"] == -0.5);
}

TEST_CASE("settings stand by themselves, and rows of one side have their values") {
    const ordered_json data = comparisonPageData(someComparison());
    REQUIRE(data["settings"].size() == 1);
    CHECK(data["settings"][0]["quantity"] == "clock_hz");
    REQUIRE(data["added"].size() == 1);
    CHECK(data["added"][0]["row"] == "new");
    CHECK(data["added"][0]["values"] == ordered_json({{"cycles", 77.0}}));
    REQUIRE(data["removed"].size() == 1);
    CHECK(data["removed"][0]["row"] == "gone");
}

TEST_CASE("each quantity has its tolerance, who gave it, and counts") {
    const ordered_json data = comparisonPageData(someComparison());
    const ordered_json cycles =
            entryWith(data["quantities"], {{"kind", "layer"}, {"quantity", "cycles"}});
    CHECK(cycles["allowed"] == "2 %");
    CHECK(cycles["place"] == "--tolerance");
    CHECK(cycles["values"] == 3);
    CHECK(cycles["regressions"] == 1);
    CHECK(cycles["improvements"] == 1);
    CHECK(cycles["better"] == "lower is better");
    const ordered_json bytes =
            entryWith(data["quantities"], {{"kind", "layer"}, {"quantity", "dram_bytes"}});
    CHECK(bytes["place"] == "default");
    CHECK(bytes["allowed"] == "1 %");
}

TEST_CASE("a browser draws the page of a comparison without a message, with its numbers") {
    const std::string program = vnpu::test::browser();
    if (program.empty()) {
        return;
    }
    const auto result = vnpu::test::openedPage(program, comparisonPage(someComparison(true)));
    vnpu::test::checkNoMessage(result);
    vnpu::test::checkHolds(result, "<h1 id=\"title\">compare default</h1>");
    vnpu::test::checkHolds(result,
                           "<div class=\"tile-name\">regressions</div><div "
                           "class=\"tile-value\">3</div>");
    vnpu::test::checkHolds(result, "<span class=\"verdict fail\">✗ REGRESSION</span>");
    vnpu::test::checkHolds(result, "camera: &lt;b&gt;conv&lt;/b&gt; &amp; \"more\"");
    vnpu::test::checkHolds(result, "+10.00 %");
    vnpu::test::checkHolds(result, "from 0");
    vnpu::test::checkHolds(result, "element 1 is 6, expected 6.5");
    vnpu::test::checkHolds(result, "cycles 77");
    // ln 2 of the halved cycles is the longest bar: half of the width, to the left.
    vnpu::test::checkHolds(result, "width:50.00%;right:50%");
    // ln 1.1 / ln 2 = 0.1375 of that.
    vnpu::test::checkHolds(result, "width:6.88%;left:50%");
}

TEST_CASE("the page of equal results says that nothing changed") {
    const std::string program = vnpu::test::browser();
    if (program.empty()) {
        return;
    }
    ResultSet results("run", "default");
    results.row("layer", "a").figures = {{"cycles", 5}};
    const auto result =
            vnpu::test::openedPage(program, comparisonPage(compareResults(results, results, {})));
    vnpu::test::checkNoMessage(result);
    vnpu::test::checkHolds(result, "Nothing changed by more than its tolerance.");
}

TEST_SUITE_END();

}  // namespace
