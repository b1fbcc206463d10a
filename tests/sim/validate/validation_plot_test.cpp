// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/validation_plot.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace {

using namespace vnpu::sim;

std::size_t countOf(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

TEST_SUITE_BEGIN("sim/validate/validation_plot");

TEST_CASE("every check has a dot in the color of its verdict at its place [E-6]") {
    const std::string svg = checksSvg({{.rung = "r",
                                        .subject = "<a> & b",
                                        .quantity = "q",
                                        .model = 1,
                                        .reference = 1,
                                        .tolerance = 0.1},
                                       {.rung = "r", .model = 100, .reference = 1}});
    CHECK(countOf(svg, "<circle") == 2);
    CHECK(countOf(svg, "#2e7d32") == 1);
    CHECK(countOf(svg, "#c62828") == 1);
    CHECK(svg.find("&lt;a&gt; &amp; b") != std::string::npos);
    // The longer label has 13 letters of 7 pixels and a margin of 20; then follow the 640 pixels of
    // the axis: 1 lies in its middle, 100 beyond its end.
    CHECK(svg.find("cx=\"431.0\"") != std::string::npos);
    CHECK(svg.find("cx=\"751.0\"") != std::string::npos);
}

TEST_CASE("a sweep has its points, its line and its knee [E-6]") {
    Curve curve{.title = "sweep", .xLabel = "x", .yLabel = "y", .knee = 2, .measuredKnee = 2.1};
    curve.points = {{1, 20, 20}, {2, 11, 10}, {4, 10, 10}};
    const std::string svg = curveSvg(curve);
    CHECK(countOf(svg, "<circle") == 3);
    CHECK(svg.find("knee 2, measured 2.1") != std::string::npos);
    CHECK(svg.find("</svg>") != std::string::npos);
}

TEST_CASE("a sweep without points, or with zeros, still gives a picture [E-6]") {
    Curve curve;
    CHECK(curveSvg(curve).find("nan") == std::string::npos);
    curve.points = {{0, 0, 0}, {1, 0, 5}};
    CHECK(curveSvg(curve).find("nan") == std::string::npos);
    CHECK(curveSvg(curve).find("inf") == std::string::npos);
}

TEST_SUITE_END();

}  // namespace
