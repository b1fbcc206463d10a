// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/ethosu/ethosu_figures.h"

#include <doctest/doctest.h>

#include "sim/import/source.h"

namespace {

using namespace vnpu::sim;

LayerParameters pointwiseLayer() {
    return {.rows = 10,
            .columns = 10,
            .kernels = 16,
            .inputRows = 10,
            .channels = 16,
            .filterRows = 1,
            .filterColumns = 1};
}

TEST_SUITE_BEGIN("sim/validate/ethosu_figures");

TEST_CASE("the array has as many products as the accelerator, and depthwise its rate [E-3]") {
    const EthosUArray small = ethosUArrayOf(kVelaAccelerators[0]);  // u55-128
    CHECK(small.rows == 16);
    CHECK(small.columns == 8);
    CHECK(small.depthwiseColumns == 1);                             // 16 results in 12 cycles
    const EthosUArray large = ethosUArrayOf(kVelaAccelerators[3]);  // u65-512
    CHECK(large.columns == 32);
    CHECK(large.depthwiseColumns == 5);  // 64 in 12
}

TEST_CASE("the array's closed form is that of the layer's product [E-3]") {
    // One fold of 16 channels for 16 kernels: 2 * 16 + 16 + 100 - 2.
    CHECK(ethosUArrayCycles(pointwiseLayer(), {16, 16, 4}) == 146);
    CHECK(ethosUArrayCycles(pointwiseLayer(), {16, 8, 4}) == 138 + 100);
    LayerParameters depthwise = pointwiseLayer();
    depthwise.isDepthwise = true;
    depthwise.channels = 1;
    depthwise.filterRows = depthwise.filterColumns = 3;
    // Four folds of four channels, nine taps on 16 rows: 32 + 4 + 100 - 2, then 100 each.
    CHECK(ethosUArrayCycles(depthwise, {16, 16, 4}) == 134 + 3 * 100);
    CHECK(ethosUArrayCycles({}, {16, 16, 4}) == 0);
}

TEST_CASE("Vela's time is split into products, the rest of its blocks, and transfers [E-3]") {
    VelaCycles image{.blocks = 100.0, .maps = 0.0, .mapsOutside = 946.0};
    image.block = {.products = 30.0, .count = 2.0};
    const VelaCycles products{.block = {200.0, 100.0, 10.0, 5.0, 1.0}, .blocks = 237.0};
    const ReferenceTime time = ethosUReferenceTime({image, products}, 1'000.0);
    CHECK(time.published == 1'000);
    CHECK(time.array == 60 + 200);
    CHECK(time.outputs == 40 + 37);
    CHECK(time.transfers == 846);
    CHECK(time.byRules() == velaTotal({image, products}));
}

TEST_CASE("a network's figures are its layers, its constants, its image and its result [E-3]") {
    const Network network = loadNetwork("zoo:autoencoder", {.zeroWeights = true});
    const WorkFigures figures = ethosUWorkFigures(network, kVelaAccelerators[1], 1.0);
    // 264,192 weights, 1,672 biases of four bytes, 640 values in and out.
    CHECK(figures.leastBytes == 264'192 + 4 * 1'672 + 2 * 640);
    // 640 to 128: 40 * 8 folds of 16 cycles, the first with 2 * 16 + 16 + 1 - 2.
    CHECK(figures.operations[0].arrayCycles == 47 + 319 * 16);
    CHECK(figures.operations[0].outputCycles == 128 * 0.25);

    const WorkFigures coded = ethosUWorkFigures(network, kVelaAccelerators[1], 0.75);
    CHECK(coded.leastBytes == 264'192 * 0.75 + 4 * 1'672 + 2 * 640);
    CHECK(coded.mostBytes == doctest::Approx(coded.leastBytes + 0.3 * figures.leastBytes));
}

TEST_CASE("an image outside of the chip takes bursts of which it uses a part [E-3]") {
    // 96 x 96 pixels of 3 bytes: by Vela's rule 16 times the bytes, at most 128 for each pixel.
    const Network network = loadNetwork("zoo:mobilenet_v1_025_96", {.zeroWeights = true});
    const WorkFigures outside = ethosUWorkFigures(network, kVelaAccelerators[2], 1.0);
    CHECK(outside.leastUnusedBytes == 96 * 96 * 3 * 15);
    CHECK(outside.mostUnusedBytes == 96 * 96 * (128 - 3));
    CHECK(ethosUWorkFigures(network, kVelaAccelerators[1], 1.0).mostUnusedBytes == 0);  // in SRAM
    const Network vector = loadNetwork("zoo:autoencoder", {.zeroWeights = true});
    CHECK(ethosUWorkFigures(vector, kVelaAccelerators[2], 1.0).mostUnusedBytes == 0);
}

TEST_SUITE_END();

}  // namespace
