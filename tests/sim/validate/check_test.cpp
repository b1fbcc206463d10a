// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace {

using vnpu::sim::allPass;
using vnpu::sim::Check;
using vnpu::sim::CheckKind;
using vnpu::sim::Gap;
using vnpu::sim::Limit;
using vnpu::sim::Verdict;

Check checkOf(double model, double reference, double tolerance) {
    return {.model = model, .reference = reference, .tolerance = tolerance};
}

TEST_SUITE_BEGIN("sim/validate/check");

TEST_CASE("a ratio within the tolerance passes, on both sides [E-3]") {
    CHECK(checkOf(110, 100, 0.11).verdict() == Verdict::kPass);
    CHECK(checkOf(90, 100, 0.11).verdict() == Verdict::kPass);
    CHECK(checkOf(112, 100, 0.11).verdict() == Verdict::kFail);
    CHECK(checkOf(88, 100, 0.11).verdict() == Verdict::kFail);
}

TEST_CASE("without a tolerance both numbers must be equal [E-3]") {
    CHECK(checkOf(7, 7, 0.0).verdict() == Verdict::kPass);
    CHECK(checkOf(7, 7.000001, 0.0).verdict() == Verdict::kFail);
}

TEST_CASE("NaN and a missing reference fail [E-3]") {
    CHECK(checkOf(std::nan(""), 1, 0.5).verdict() == Verdict::kFail);
    CHECK(checkOf(5, 0, 0.5).verdict() == Verdict::kFail);
    CHECK(checkOf(5, 0, 0.5).ratio() == std::numeric_limits<double>::infinity());
    CHECK(checkOf(0, 0, 0.0).ratio() == 1.0);
}

TEST_CASE("a limit fails on one side only [E-3]") {
    Check check = checkOf(4.9, 5.0, 0.0);
    check.limit = Limit::kAtMost;
    CHECK(check.verdict() == Verdict::kPass);
    check.limit = Limit::kAtLeast;
    CHECK(check.verdict() == Verdict::kFail);
    check.model = 5.1;
    CHECK(check.verdict() == Verdict::kPass);
    check.limit = Limit::kAtMost;
    CHECK(check.verdict() == Verdict::kFail);
    check.model = std::nan("");
    CHECK(check.verdict() == Verdict::kFail);
    check.limit = Limit::kAtLeast;
    CHECK(check.verdict() == Verdict::kFail);
}

/// 120 cycles for 100: 15 of the array, within its bound, and 5 that no part accounts for.
Gap gapWithRest() {
    return {.model = 120,
            .reference = 100,
            .parts = {{.name = "array",
                       .cycles = 15,
                       .bounds = {{.measured = 104, .expected = 100, .low = 0.95, .high = 1.05}}}},
            .tolerance = 0.05};
}

TEST_CASE("numbers outside the tolerance hold by parts, if these sum and keep their bounds [E-3]") {
    Check check = checkOf(120, 100, 0.1);
    CHECK(check.verdict() == Verdict::kFail);
    check.gap = gapWithRest();
    CHECK(check.verdict() == Verdict::kByParts);
    CHECK(allPass({check}));
    check.gap->tolerance = 0.04;  // 5 of 120 are more
    CHECK(check.verdict() == Verdict::kFail);
    check.gap = gapWithRest();
    check.gap->parts[0].bounds[0].measured = 106;
    CHECK(check.verdict() == Verdict::kFail);
}

TEST_CASE("parts of other numbers do not hold [E-3]") {
    Check check = checkOf(120, 100, 0.1);
    check.gap = gapWithRest();
    CHECK(check.explanation() == check.gap->text());
    check.model = 121;
    CHECK(check.verdict() == Verdict::kFail);
    CHECK(check.explanation() == "! parts of other numbers: " + check.gap->text());
    // A rate falls as its time rises.
    check.model = 100 / 1.2;
    CHECK(check.verdict() == Verdict::kByParts);
    check.model = 100 / 1.21;
    CHECK(check.verdict() == Verdict::kFail);
    check.model = std::nan("");
    CHECK(check.verdict() == Verdict::kFail);
}

TEST_CASE("equal numbers fail if errors cancel [E-3]") {
    Check check = checkOf(100, 100, 0.1);
    check.gap = Gap{.model = 100,
                    .reference = 100,
                    .parts = {{.name = "array",
                               .cycles = 20,
                               .bounds = {{.measured = 120, .expected = 100, .high = 1.1}}},
                              {.name = "bytes", .cycles = -20}},
                    .tolerance = 0.1};
    CHECK(check.verdict() == Verdict::kFail);
    check.gap->parts[0].bounds[0].high = 1.25;
    CHECK(check.verdict() == Verdict::kPass);
}

TEST_CASE("chips have no verdict, unless their run broke [E-3]") {
    Check check = checkOf(1, 9, 0.0);
    check.kind = CheckKind::kSilicon;
    CHECK(check.verdict() == Verdict::kNone);
    CHECK(check.broken("no device").verdict() == Verdict::kFail);
}

TEST_CASE("a broken check fails whatever its ratio and its parts [E-3]") {
    Check check = checkOf(1, 1, 0.0);
    check.gap = Gap{.model = 1, .reference = 1};
    CHECK(check.verdict() == Verdict::kPass);
    CHECK(check.broken("why").verdict() == Verdict::kFail);
    CHECK(check.broken("why").explanation() == "why");
    CHECK_FALSE(allPass({checkOf(1, 1, 0.0), check.broken("why")}));
}

TEST_SUITE_END();

}  // namespace
