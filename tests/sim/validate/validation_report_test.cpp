// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/validation_report.h"

#include <doctest/doctest.h>

namespace {

using namespace vnpu::sim;

std::vector<Check> threeChecks() {
    return {{.rung = "one",
             .subject = "a net, small",
             .quantity = "cycles",
             .model = 110,
             .reference = 100,
             .tolerance = 0.2},
            {.rung = "two",
             .subject = "b",
             .quantity = "frames/s",
             .model = 2.5,
             .reference = 5.0,
             .tolerance = 0.1,
             .note = "why"},
            {.rung = "two",
             .subject = "c",
             .quantity = "error",
             .model = 6,
             .reference = 5,
             .isLimit = true,
             .isExplained = true}};
}

TEST_SUITE_BEGIN("sim/validate/validation_report");

TEST_CASE("the table has numbers, ratio, tolerance and verdict [E-3]") {
    CHECK(checksText(threeChecks()) ==
          "rung  subject       quantity  model  reference  ratio  tolerance  verdict    note\n"
          "----  ------------  --------  -----  ---------  -----  ---------  ---------  ----\n"
          "one   a net, small  cycles      110        100  1.100       20 %  pass\n"
          "two   b             frames/s    2.5          5  0.500       10 %  FAIL       why\n"
          "two   c             error         6          5  1.200    at most  explained\n");
}

TEST_CASE("CSV quotes cells with a comma [E-6]") {
    const std::string csv = checksCsv(threeChecks());
    CHECK(csv.find("one,\"a net, small\",cycles,110,100,1.100000,0.2,pass,\n") !=
          std::string::npos);
}

TEST_CASE("points of sweeps have one line each [E-6]") {
    Curve curve{.title = "t", .xLabel = "x", .yLabel = "y"};
    curve.points = {{1.5, 20, 10}, {3, 10, 10}};
    CHECK(curvesCsv({curve}) ==
          "curve,x,x_unit,model,closed_form,unit\nt,1.5,x,20,10,y\nt,3,x,10,10,y\n");
}

TEST_CASE("the summary counts verdicts [E-3]") {
    CHECK(checksSummary(threeChecks()) == "1 passed, 1 explained, 1 failed");
}

TEST_SUITE_END();

}  // namespace
