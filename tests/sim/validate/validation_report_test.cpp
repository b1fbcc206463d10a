// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/validation_report.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

namespace {

using namespace vnpu::sim;

/// A network whose time is `ratio` of the reference's, as one that passes or holds by parts.
Check networkCheck(double ratio, std::string deviceClass) {
    return {.kind = CheckKind::kNetwork,
            .rung = "one",
            .subject = "a net, small",
            .quantity = "cycles",
            .model = ratio * 100,
            .reference = 100,
            .tolerance = 0.2,
            .gap = Gap{.model = ratio * 100,
                       .reference = 100,
                       .parts = {{.name = "array", .cycles = ratio * 100 - 100}}},
            .deviceClass = std::move(deviceClass)};
}

std::vector<Check> someChecks() {
    return {{.kind = CheckKind::kRules,
             .rung = "two",
             .subject = "b",
             .quantity = "frames/s",
             .model = 2.5,
             .reference = 5.0,
             .tolerance = 0.1,
             .note = "why"},
            networkCheck(1.1, "small"),
            {.kind = CheckKind::kSilicon,
             .rung = "two",
             .subject = "c",
             .quantity = "ms",
             .model = 6,
             .reference = 5}};
}

TEST_SUITE_BEGIN("sim/validate/validation_report");

TEST_CASE("the table has numbers, ratio, tolerance, verdict and parts [E-3]") {
    CHECK(checksText(someChecks()) ==
          "rung  subject       quantity  model  reference  ratio  tolerance  verdict  note\n"
          "----  ------------  --------  -----  ---------  -----  ---------  -------  "
          "--------------------------------\n"
          "two   b             frames/s    2.5          5  0.500       10 %  FAIL     why\n"
          "one   a net, small  cycles      110        100  1.100       20 %  pass     "
          "+10.0 % = array +10.0, rest +0.0\n"
          "two   c             ms            6          5  1.200       none  -\n");
}

TEST_CASE("a long note stands below its check, within 120 columns [E-3]") {
    std::vector<Check> checks = someChecks();
    checks[0].note.clear();
    for (int i = 0; i < 40; ++i) {
        checks[0].note += "word ";
    }
    const std::string text = checksText(checks);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        CHECK_MESSAGE(line.size() <= 120, line);
    }
    CHECK(text.find("FAIL\n      word word") != std::string::npos);
    CHECK(text.find("pass     +10.0 % = array +10.0, rest +0.0\n") != std::string::npos);
    std::size_t words = 0;
    for (std::size_t at = text.find("word"); at != std::string::npos;
         at = text.find("word", at + 1)) {
        ++words;
    }
    CHECK(words == 40);
}

TEST_CASE("the legend has every column of the table [E-3]") {
    const std::string legend = checksLegend();
    for (const char* column : {"model, reference", "ratio", "tolerance", "verdict", "note"}) {
        CHECK_MESSAGE(("\n" + legend).find(std::string("\n  ") + column + " ") != std::string::npos,
                      column);
    }
}

TEST_CASE("a check is a case with its numbers; one without a verdict is skipped") {
    const std::vector<Check> checks = someChecks();
    const CaseOutcome failed = outcomeOf(checks[0]);
    CHECK(failed.name.text() == "b: frames/s (two)");
    CHECK(failed.result == CaseResult::kFailed);
    CHECK(failed.message == "frames/s is 2.5, reference 5, ratio 0.500, tolerance 10 %: why");
    CHECK(outcomeOf(checks[1]).result == CaseResult::kPassed);
    CHECK(outcomeOf(checks[2]).result == CaseResult::kSkipped);
}

TEST_CASE("CSV quotes cells with a comma [E-6]") {
    const std::string csv = checksCsv(someChecks());
    CHECK(csv.find("compiled networks against outside numbers,one,\"a net, small\",cycles,110,100,"
                   "1.100000,0.2,pass,") != std::string::npos);
}

TEST_CASE("points of sweeps have one line each [E-6]") {
    Curve curve{.title = "t", .xLabel = "x", .yLabel = "y"};
    curve.points = {{1.5, 20, 10}, {3, 10, 10}};
    CHECK(curvesCsv({curve}) ==
          "curve,x,x_unit,model,closed_form,unit\nt,1.5,x,20,10,y\nt,3,x,10,10,y\n");
}

TEST_CASE("the summary begins with compiled networks and their geometric mean [E-3]") {
    std::vector<Check> checks = someChecks();
    checks.push_back(networkCheck(4.4, "large"));  // by parts; the mean of 1.1 and 4.4 is 2.2
    CHECK(checksSummary(checks) ==
          "compiled networks against outside numbers: 1 pass by number alone, 1 by parts that sum, "
          "0 FAIL; geometric mean of times, model over reference: 2.200\n"
          "rules implemented again: 0 pass by number alone, 0 by parts that sum, 1 FAIL\n"
          "silicon, without a verdict: 1\n");
}

TEST_CASE("error bands are given by class of device [E-3]") {
    CHECK(errorBands({networkCheck(0.5, "small"), networkCheck(2.0, "large"),
                      networkCheck(2.0, "small")}) ==
          "class of device  networks  least  geometric mean  most\n"
          "---------------  --------  -----  --------------  ----\n"
          "small                   2   0.50            1.00  2.00\n"
          "large                   1   2.00            2.00  2.00\n");
    CHECK(errorBands({someChecks()[0]}).empty());
}

TEST_SUITE_END();

}  // namespace
