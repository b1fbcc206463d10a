// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/dimensions.h"

#include <doctest/doctest.h>

using vnpu::driver::combineDimensions;
using vnpu::driver::Dimensions;

TEST_SUITE_BEGIN("driver/validation/dimensions");

TEST_CASE("an unknown rank takes the rank that the other gives [E-8]") {
    CHECK_EQ(combineDimensions({}, {2, 0}).value(), Dimensions{2, 0});
    CHECK_EQ(combineDimensions({2, 3}, {}).value(), Dimensions{2, 3});
    CHECK_EQ(combineDimensions({}, {}).value(), Dimensions{});
}

TEST_CASE("model and request complete each other's open dimensions [E-8]") {
    CHECK_EQ(combineDimensions({0, 3, 0}, {2, 0, 0}).value(), Dimensions{2, 3, 0});
}

TEST_CASE("contradicting shapes of model and request are refused [E-8]") {
    CHECK_EQ(combineDimensions({2}, {2, 1}).error().reason, "rank is 2, elsewhere 1");
    CHECK_EQ(combineDimensions({2, 3}, {0, 4}).error().reason, "dimension 1 is 4, elsewhere 3");
}

TEST_SUITE_END();
