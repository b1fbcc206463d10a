// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace {

using vnpu::sim::allPass;
using vnpu::sim::Check;
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
    check.isLimit = true;
    CHECK(check.verdict() == Verdict::kPass);
    check.model = 5.1;
    CHECK(check.verdict() == Verdict::kFail);
}

TEST_CASE("a broken check fails whatever its ratio, an explained one does not [E-3]") {
    Check check = checkOf(1, 1, 0.0);
    check.isBroken = true;
    check.isExplained = true;
    CHECK(check.verdict() == Verdict::kFail);
    CHECK_FALSE(allPass({checkOf(1, 1, 0.0), check}));
    check = checkOf(1, 2, 0.1);
    check.isExplained = true;
    CHECK(check.verdict() == Verdict::kExplained);
    CHECK(allPass({check}));
}

TEST_SUITE_END();

}  // namespace
