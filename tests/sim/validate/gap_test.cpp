// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/gap.h"

#include <doctest/doctest.h>

#include <cmath>

namespace {

using namespace vnpu::sim;

TEST_SUITE_BEGIN("sim/validate/gap");

TEST_CASE("a bound holds from its lower to its upper limit [E-3]") {
    Bound bound{.measured = 90, .expected = 100, .low = 0.9, .high = 1.1};
    CHECK(bound.holds());
    bound.measured = 110;
    CHECK(bound.holds());
    bound.measured = 111;
    CHECK_FALSE(bound.holds());
    bound.measured = 89;
    CHECK_FALSE(bound.holds());
}

TEST_CASE("a bound without a figure holds for nothing only; NaN never holds [E-3]") {
    CHECK(Bound{.measured = 0, .expected = 0, .low = 1.0, .high = 1.0}.holds());
    CHECK_FALSE(Bound{.measured = 1, .expected = 0, .high = 100.0}.holds());
    CHECK_FALSE(Bound{.measured = std::nan(""), .expected = 1}.holds());
    CHECK_FALSE(Gap{.model = std::nan(""), .reference = 1, .tolerance = 1}.holds());
}

TEST_CASE("signed parts sum to the difference, or leave a rest [E-3]") {
    Gap gap{.model = 130,
            .reference = 100,
            .parts = {{.name = "array", .cycles = 50}, {.name = "bytes", .cycles = -15}},
            .tolerance = 0.05};
    CHECK(gap.sum() == 35);
    CHECK(gap.rest() == -5);
    CHECK(gap.holds());  // 5 of 130 cycles
    CHECK(gap.timeRatio() == doctest::Approx(1.3));
    gap.tolerance = 0.03;
    CHECK_FALSE(gap.sums());
    CHECK_FALSE(gap.holds());
}

TEST_CASE("the text names each part and marks what does not hold [E-3]") {
    const Gap gap{.model = 130,
                  .reference = 100,
                  .parts = {{.name = "array",
                             .cycles = 20,
                             .bounds = {{.figure = "the form",
                                         .measured = 3,
                                         .expected = 2,
                                         .high = 1.1}}}},
                  .tolerance = 0.05};
    CHECK(gap.text() == "+30.0 % = array +20.0 (! 1.5 of the form), rest ! +10.0");
}

TEST_SUITE_END();

}  // namespace
