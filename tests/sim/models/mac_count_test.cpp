// SPDX-License-Identifier: Apache-2.0
#include "sim/models/mac_count.h"

#include <doctest/doctest.h>

#include "sim/models/layer_builder.h"

namespace {

using namespace vnpu::sim;

LayerBuilder emptyNet() {
    return {"net", Numeric::kInt8, {.zeroWeights = true}};
}

constexpr auto kLinear = LayerBuilder::Activation::NONE;

}  // namespace

TEST_SUITE_BEGIN("sim/models/mac_count");

TEST_CASE("a convolution counts every tap of every output, padding included") {
    LayerBuilder net = emptyNet();
    const Layer x = net.input("in", {6, 5, 3});
    // 3 x 3 outputs with stride 2, 4 channels, 3 x 3 x 3 taps
    CHECK(net.build(net.conv("c", x, 4, {3, 3, 2}, kLinear)).macs == 3 * 3 * 4 * 27);
}

TEST_CASE("a depthwise convolution counts the taps of one channel") {
    LayerBuilder net = emptyNet();
    const Layer x = net.input("in", {6, 6, 8});
    CHECK(net.build(net.depthwise("d", x, {3, 3}, kLinear)).macs == 6 * 6 * 8 * 9);
}

TEST_CASE("a fully connected layer counts inputs times outputs") {
    LayerBuilder net = emptyNet();
    const Layer x = net.input("in", {40});
    CHECK(net.build(net.fullyConnected("f", x, 7, kLinear)).macs == 280);
}

TEST_CASE("other operations and unknown dimensions count nothing") {
    LayerBuilder net = emptyNet();
    const Layer x = net.input("in", {6, 6, 8});
    Network network = net.build(net.maxPool("p", x, {2, 2, 2}));
    CHECK(network.macs == 0);
    network.model.main.operations[0].type = nn::OperationType::CONV_2D;
    network.model.main.operands[network.model.main.operations[0].inputs[1]].dimensions = {0, 1};
    CHECK(countMacs(network.model.main) == 0);
}

TEST_SUITE_END();
