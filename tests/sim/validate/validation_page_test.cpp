// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/validation_page.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/browser.h"

namespace {

using nlohmann::ordered_json;
using vnpu::sim::Bound;
using vnpu::sim::Check;
using vnpu::sim::CheckKind;
using vnpu::sim::Curve;
using vnpu::sim::Gap;
using vnpu::sim::RungResult;

/// A network that takes 130 of 100 cycles: 50 more on the array, which is too much, and 20 fewer
/// for transfers; and a chip. The curve has two points.
RungResult someResult() {
    const Bound tooMuch{.figure = "closed form", .measured = 3, .expected = 2, .high = 1.1};
    const Bound fine{.figure = "least bytes", .measured = 4, .expected = 4, .low = 0.9};
    RungResult result;
    result.checks = {{.kind = CheckKind::kNetwork,
                      .rung = "one",
                      .subject = "net <b> & \"more\"",
                      .quantity = "cycles",
                      .model = 130,
                      .reference = 100,
                      .tolerance = 0.1,
                      .gap = Gap{.model = 130,
                                 .reference = 100,
                                 .parts = {{.name = "array", .cycles = 50, .bounds = {tooMuch}},
                                           {.name = "transfers", .cycles = -20, .bounds = {fine}}}},
                      .deviceClass = "small"},
                     {.kind = CheckKind::kSilicon,
                      .rung = "two",
                      .subject = "chip",
                      .quantity = "ms",
                      .model = 6,
                      .reference = 5}};
    result.curves = {Curve{.title = "product",
                           .xLabel = "bytes/cycle",
                           .yLabel = "cycles",
                           .points = {{1, 200, 100}, {10, 100, 100}},
                           .knee = 2,
                           .measuredKnee = 3}};
    result.notes = {"a note"};
    return result;
}

TEST_SUITE_BEGIN("sim/validate/validation_page");

TEST_CASE("checks have their verdicts and the parts of their gaps [E-3]") {
    const ordered_json data = vnpu::sim::validationPageData(someResult());
    CHECK(data["kind"] == "validate");
    REQUIRE(data["checks"].size() == 2);
    const ordered_json& net = data["checks"][0];
    CHECK(net["verdict"] == "FAIL");
    CHECK(net["ratio"] == 1.3);
    REQUIRE(net["gap"]["parts"].size() == 2);
    const ordered_json& array = net["gap"]["parts"][0];
    CHECK(array["name"] == "array");
    CHECK(array["cycles"] == 50.0);
    CHECK(array["holds"] == false);
    CHECK(array["bounds"][0]["ratio"] == 1.5);
    CHECK(net["gap"]["parts"][1]["holds"] == true);
    CHECK(net["gap"]["rest"] == 0.0);
    CHECK(data["checks"][1]["verdict"] == "-");
    CHECK(data["checks"][1]["gap"].is_null());
    CHECK(data["curves"][0]["points"][1] == ordered_json({10.0, 100.0, 100.0}));
}

TEST_CASE("a browser draws the page of a validation without a message, with its numbers [E-3]") {
    const std::string program = vnpu::test::browser();
    if (program.empty()) {
        return;
    }
    const auto result = vnpu::test::openedPage(program, vnpu::sim::validationPage(someResult()));
    vnpu::test::checkNoMessage(result);
    vnpu::test::checkHolds(result, "net &lt;b&gt; &amp; \"more\"");
    vnpu::test::checkHolds(result, "<span class=\"verdict fail\">✗ FAIL</span>");
    vnpu::test::checkHolds(result, "<td class=\" \">1.300</td>");
    vnpu::test::checkHolds(result, ">+30 % ✗</text>");
    vnpu::test::checkHolds(result, "measured 3");
    vnpu::test::checkHolds(result, "a note");
}

TEST_SUITE_END();

}  // namespace
