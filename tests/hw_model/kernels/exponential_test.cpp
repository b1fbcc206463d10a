// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/support/exponential.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/hw_model/kernels/tile_memory.h"

namespace vnpu::test {
namespace {

using hw::kernels::exponential;
using hw::kernels::logistic;

// Distance in units of the last place of the float nearest to `exact`.
double errorInPlaces(float actual, double exact) {
    const auto nearest = static_cast<float>(exact);
    const float place = std::nextafter(nearest, std::numeric_limits<float>::infinity()) - nearest;
    return std::abs(static_cast<double>(actual) - exact) / static_cast<double>(place);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/exponential");

TEST_CASE("the exponential is within 0.51 units of the last place over the float range [E-2]") {
    Random random(4);
    double worst = 0.0;
    for (int i = 0; i < 100'000; ++i) {
        const float x = random.real() * 87.0F;
        worst = std::max(worst, errorInPlaces(exponential(x), std::exp(static_cast<double>(x))));
    }
    CHECK(worst <= 0.51);
}

TEST_CASE("the exponential is exact or infinite at its limits [E-2]") {
    CHECK(exponential(0.0F) == 1.0F);
    CHECK(exponential(-0.0F) == 1.0F);
    CHECK(exponential(89.0F) == std::numeric_limits<float>::infinity());
    CHECK(exponential(std::numeric_limits<float>::infinity()) ==
          std::numeric_limits<float>::infinity());
    CHECK(exponential(-105.0F) == 0.0F);
    CHECK(exponential(-std::numeric_limits<float>::infinity()) == 0.0F);
    CHECK(exponential(-95.0F) > 0.0F);  // a denormal number
    CHECK(std::isnan(exponential(std::numeric_limits<float>::quiet_NaN())));
}

TEST_CASE("the logistic function is within 0.51 units of the last place [E-2]") {
    Random random(5);
    double worst = 0.0;
    for (int i = 0; i < 100'000; ++i) {
        const float x = random.real() * 20.0F;
        const double exact = 1.0 / (1.0 + std::exp(-static_cast<double>(x)));
        worst = std::max(worst, errorInPlaces(logistic(x), exact));
    }
    CHECK(worst <= 0.51);
    CHECK(logistic(0.0F) == 0.5F);
    CHECK(logistic(-200.0F) == 0.0F);
    CHECK(logistic(200.0F) == 1.0F);
}

TEST_SUITE_END();

}  // namespace vnpu::test
