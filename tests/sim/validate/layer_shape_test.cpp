// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/layer_shape.h"

#include <doctest/doctest.h>

namespace {

using vnpu::sim::layerNetwork;
using vnpu::sim::LayerShape;

TEST_SUITE_BEGIN("sim/validate/layer_shape");

TEST_CASE("a convolution is the product of its pixels, filters and taps [E-3]") {
    // 112 x 112 pixels of 7 x 7 x 3 taps.
    const LayerShape conv1{229, 229, 7, 7, 3, 64, 2, 0};
    CHECK(conv1.gemm().m == 12'544);
    CHECK(conv1.gemm().n == 64);
    CHECK(conv1.gemm().k == 147);
    CHECK(layerNetwork(conv1).macs == 118'013'952);
}

TEST_CASE("windows that extend beyond the border count [E-3]") {
    // (224 - 11) / 4 = 53.25: a 55th window in each row and column.
    const LayerShape shape{224, 224, 11, 11, 3, 96, 4, 0};
    CHECK(shape.gemm().m == 55 * 55);
    CHECK(layerNetwork(shape).macs == 105'415'200);
}

TEST_CASE("a matrix product keeps its shape [E-3]") {
    const LayerShape shape{1, 1, 1, 1, 768, 3072, 1, 128};
    CHECK(shape.gemm().m == 128);
    CHECK(shape.gemm().n == 3072);
    CHECK(shape.gemm().k == 768);
    CHECK(layerNetwork(shape).macs == 301'989'888);
}

TEST_SUITE_END();

}  // namespace
