// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/layer_parameters.h"

#include <doctest/doctest.h>

#include "sim/import/source.h"

namespace {

using namespace vnpu::sim;

std::vector<LayerParameters> layersOf(const char* network) {
    return layerParametersOf(loadNetwork(network, {.zeroWeights = true}));
}

TEST_SUITE_BEGIN("sim/validate/layer_parameters");

TEST_CASE("matrix products are those of the network [E-3]") {
    // source: MLPerf Tiny, anomaly detection: 640, 128 x 4, 8, 128 x 4, 640
    std::uint64_t weights = 0, kernels = 0;
    for (const LayerParameters& layer : layersOf("zoo:autoencoder")) {
        weights += layer.kernels * layer.channels * layer.taps();
        kernels += layer.kernels;
    }
    CHECK(weights == 640 * 128 + 3 * 128 * 128 + 128 * 8 + 8 * 128 + 3 * 128 * 128 + 128 * 640);
    CHECK(kernels == 4 * 128 + 8 + 4 * 128 + 640);
}

TEST_CASE("convolutions have their extents, strides and depthwise filters [E-3]") {
    const auto layers = layersOf("zoo:googlenet");
    // 7 x 7, stride 2, over 224 x 224 x 3; then a pool.
    CHECK(layers[0].rows == 112);
    CHECK(layers[0].columns == 112);
    CHECK(layers[0].kernels == 64);
    CHECK(layers[0].channels == 3);
    CHECK(layers[0].taps() == 49);
    CHECK_FALSE(layers[0].hasUnitStride());
    CHECK(layers[1].kernels == 0);
    CHECK(layers[2].hasUnitStride());
    // MobileNetV1's second layer: 3 x 3 depthwise over 112 x 112 x 32.
    const LayerParameters depthwise = layersOf("zoo:mobilenet_v1")[1];
    CHECK(depthwise.isDepthwise);
    CHECK(depthwise.channels == 1);
    CHECK(depthwise.constantBytes == 9 * 32 + 4 * 32);
    // 112 x 112 x 32 in and out.
    CHECK(depthwise.mapBytes == 2 * 112 * 112 * 32);
    CHECK(depthwise.hasUnitStride());
}

TEST_CASE("traffic lies between constants with input and output, and every operand once [E-3]") {
    const Network network = loadNetwork("zoo:autoencoder", {.zeroWeights = true});
    const TrafficBounds bounds = trafficBoundsOf(network, layerParametersOf(network));
    CHECK(bounds.leastBytes == 264'192 + 4 * 1'672 + 2 * 640);
    // 640 + 128, six times 128 + 128 and so on: 640, 128 x 4, 8, 128 x 4, 640 once as an input or
    // an output, and the nine between twice.
    CHECK(bounds.mostBytes == bounds.leastBytes + 2 * (8 * 128 + 8));
}

TEST_SUITE_END();

}  // namespace
