// SPDX-License-Identifier: Apache-2.0
#include "sim/base/name_filter.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"

using vnpu::sim::InputError;
using vnpu::sim::NameFilter;

TEST_SUITE_BEGIN("sim/base/name_filter");

TEST_CASE("an extended regular expression is searched for in names") {
    const NameFilter filter("^conv_(float|quant8)_[0-9]+$", "--filter");
    CHECK(filter.fits("conv_float_12"));
    CHECK_FALSE(filter.fits("conv_float_12_relaxed"));
    CHECK(NameFilter("relaxed", "--filter").fits("conv_float_12_relaxed"));
}

TEST_CASE("the empty expression matches every name") {
    CHECK(NameFilter("", "--filter").fits(""));
    CHECK(NameFilter("", "--filter").fits("anything"));
}

TEST_CASE("a malformed expression is an input error that names the option") {
    CHECK_THROWS_AS(NameFilter("a(", "--filter"), InputError);
}

TEST_SUITE_END();
