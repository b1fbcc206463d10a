// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/comparison.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "sim/base/error.h"

namespace {

using namespace vnpu::sim;
using Figures = std::map<std::string, double>;
using Words = std::map<std::string, std::string>;

ResultSet setOf(const std::string& row, const Figures& figures, const Words& words = {}) {
    ResultSet results("run", "default");
    ResultRow& added = results.row("layer", row);
    added.figures = figures;
    added.words = words;
    return results;
}

/// The verdict on one quantity that changes from one number to another; nothing if it is within its
/// tolerance.
std::string verdictOn(const std::string& quantity, double before, double after,
                      const std::string& tolerance = "") {
    CompareOptions options;
    if (!tolerance.empty()) {
        options.tolerances.add(tolerance, "--tolerance");
    }
    const Comparison comparison = compareResults(setOf("a", {{quantity, before}}),
                                                 setOf("a", {{quantity, after}}), options);
    CHECK(comparison.figures == 1);
    return comparison.changes.empty() ? "" : nameOf(comparison.changes.front().verdict);
}

std::string verdictOnWords(const std::string& quantity, const std::string& before,
                           const std::string& after) {
    const Comparison comparison = compareResults(setOf("a", {}, {{quantity, before}}),
                                                 setOf("a", {}, {{quantity, after}}), {});
    return comparison.changes.empty() ? "" : nameOf(comparison.changes.front().verdict);
}

}  // namespace

TEST_SUITE_BEGIN("sim/compare/comparison");

TEST_CASE("a rise of what should be low is a regression, a fall an improvement") {
    CHECK(verdictOn("cycles", 10'000, 11'000) == "REGRESSION");
    CHECK(verdictOn("cycles", 11'000, 10'000) == "improvement");
    CHECK(verdictOn("rate_hz", 100, 90) == "REGRESSION");
    CHECK(verdictOn("rate_hz", 90, 100) == "improvement");
    CHECK(verdictOn("estimate_cycles", 10'000, 20'000) == "changed");
}

TEST_CASE("changes within the tolerance are none") {
    // The default of cycles is 1 % and 50 together: 150 of 10000.
    CHECK(verdictOn("cycles", 10'000, 10'150).empty());
    CHECK(verdictOn("cycles", 10'000, 10'151) == "REGRESSION");
    CHECK(verdictOn("cycles", 10'000, 10'151, "cycles=2%").empty());
    CHECK(verdictOn("cycles", 10'000, 10'001, "cycles=0") == "REGRESSION");
    CHECK(verdictOn("cycles", 10'000, 90'000, "cycles=any").empty());
    CHECK(verdictOn("missed", 0, 0).empty());
    CHECK(verdictOn("missed", 0, 0.001) == "REGRESSION");
}

TEST_CASE("words are compared by their order, or for equality") {
    CHECK(verdictOnWords("result", "passed", "failed") == "REGRESSION");
    CHECK(verdictOnWords("result", "passed", "skipped") == "REGRESSION");
    CHECK(verdictOnWords("result", "failed", "passed") == "improvement");
    CHECK(verdictOnWords("verdict", "pass", "by parts") == "REGRESSION");
    CHECK(verdictOnWords("verdict", "by parts", "FAIL") == "REGRESSION");
    CHECK(verdictOnWords("output_hash", "12", "13") == "REGRESSION");
    CHECK(verdictOnWords("model", "zoo:a", "zoo:b") == "changed");
    CHECK(verdictOnWords("result", "passed", "passed").empty());
}

TEST_CASE("regressions come first, and the largest change among them") {
    ResultSet before("run"), after("run");
    before.row("layer", "small").figures = {{"cycles", 10'000}};
    before.row("layer", "better").figures = {{"cycles", 10'000}};
    before.row("layer", "large").figures = {{"cycles", 10'000}};
    after.row("layer", "small").figures = {{"cycles", 11'000}};
    after.row("layer", "better").figures = {{"cycles", 1'000}};
    after.row("layer", "large").figures = {{"cycles", 20'000}};
    const Comparison comparison = compareResults(before, after, {});
    REQUIRE(comparison.changes.size() == 3);
    CHECK(comparison.changes[0].row == "large");
    CHECK(comparison.changes[1].row == "small");
    CHECK(comparison.changes[2].row == "better");
    CHECK(comparison.count(ChangeVerdict::kRegression) == 2);
    CHECK(comparison.changes[1].text() == "cycles 10000 -> 11000 (+10.00 %, allowed 1 % + 50)");
}

TEST_CASE("rows that were added or removed are told, and are regressions if strict") {
    const ResultSet before = setOf("a", {{"cycles", 1}}), after = setOf("b", {{"cycles", 1}});
    const Comparison loose = compareResults(before, after, {});
    REQUIRE(loose.added.size() == 1);
    CHECK(loose.added[0].name == "b");
    REQUIRE(loose.removed.size() == 1);
    CHECK(loose.removed[0].name == "a");
    for (const CaseOutcome& one : casesOf(loose)) {
        CHECK(one.result == CaseResult::kPassed);
    }
    for (const CaseOutcome& one : casesOf(compareResults(before, after, {.isStrict = true}))) {
        CHECK(one.result == CaseResult::kFailed);
    }
}

TEST_CASE("a case that is new and fails is a regression") {
    ResultSet before("cases"), after("cases");
    after.row("case", "new").words = {{"result", "failed"}};
    after.row("case", "other").words = {{"result", "passed"}};
    const auto cases = casesOf(compareResults(before, after, {}));
    REQUIRE(cases.size() == 2);
    CHECK(cases[0].result == CaseResult::kFailed);
    CHECK(cases[1].result == CaseResult::kPassed);
}

TEST_CASE("a number that one side lacks is told") {
    const Comparison comparison =
            compareResults(setOf("a", {{"p99_ms", 5}}), setOf("a", {{"mean_ms", 5}}), {});
    CHECK(comparison.changes.size() == 2);
    CHECK(comparison.count(ChangeVerdict::kChanged) == 2);
    CHECK_FALSE(comparison.changes[0].relative());
}

TEST_CASE("a case names all regressions of its row") {
    const Comparison comparison =
            compareResults(setOf("a", {{"cycles", 10'000}, {"dram_bytes", 1'000}}),
                           setOf("a", {{"cycles", 12'000}, {"dram_bytes", 2'000}}), {});
    const auto cases = casesOf(comparison);
    REQUIRE(cases.size() == 1);
    CHECK(cases[0].name.text() == "a (layer)");
    CHECK(cases[0].message ==
          "dram_bytes 1000 -> 2000 (x 2, allowed 1 %)\n"
          "cycles 10000 -> 12000 (+20.00 %, allowed 1 % + 50)");
}

TEST_CASE("a tolerance of a quantity that is nowhere is an input error") {
    const ResultSet results = setOf("a", {{"cycles", 1}, {"dram.mib", 2}}, {{"color", "red"}});
    const auto isTaken = [&](const char* tolerance) {
        CompareOptions options;
        options.tolerances.add(tolerance, "--tolerance");
        try {
            compareResults(results, results, options);
        } catch (const InputError& error) {
            CHECK(std::string(error.what()).starts_with("--tolerance: \""));
            return false;
        }
        return true;
    };
    // In the results, or known and thus in other results that the same file serves.
    for (const char* tolerance :
         {"cycles=1", "layer.cycles=1", "dram.mib=1", "layer.dram.mib=1", "color=any",
          "layer.color=any", "*=1", "p99_ms=1", "client.p99_ms=1"}) {
        CHECK_MESSAGE(isTaken(tolerance), tolerance);
    }
    for (const char* tolerance :
         {"cycle=1", "layer.cycle=1", "client.color=1", "mib=1", "sla_*=1"}) {
        CHECK_FALSE_MESSAGE(isTaken(tolerance), tolerance);
    }
}

TEST_CASE("results of two kinds are an input error") {
    CHECK_THROWS_AS(compareResults(ResultSet("run"), ResultSet("sweep"), {}), InputError);
}

TEST_SUITE_END();
