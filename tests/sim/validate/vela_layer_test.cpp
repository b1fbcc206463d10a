// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/ethosu/vela_layer.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/import/source.h"
#include "sim/validate/ethosu/ethosu_reference.h"

namespace {

using namespace vnpu::sim;

std::vector<VelaLayer> velaLayersOfZoo(const char* network) {
    return velaLayersOf(loadNetwork(fmt::format("zoo:{}", network), {.zeroWeights = true}));
}

/// Pools count, sums do not.
double productsOf(const VelaLayer& layer) {
    if (layer.kind == VelaKind::kSum) {
        return 0.0;
    }
    const bool isByChannel = layer.kind == VelaKind::kDepthwise || layer.kind == VelaKind::kPool;
    return static_cast<double>(layer.output.elements() * layer.filter.pixels() *
                               (isByChannel ? 1 : layer.input.channels));
}

TEST_SUITE_BEGIN("sim/validate/vela_layer");

TEST_CASE("networks have the products that Vela counts [E-3]") {
    for (const EthosURow& row : kEthosURows) {
        double products = 0.0;
        for (const VelaLayer& layer : velaLayersOfZoo(row.network)) {
            products += productsOf(layer);
        }
        CAPTURE(row.network);
        CHECK(products / 1e6 == doctest::Approx(row.millionProducts).epsilon(0.003));
    }
}

TEST_CASE("a first layer with stride 2 reads pairs of columns [E-3]") {
    // 49 x 10 x 1 by 10 x 4, stride 2: 12 columns covered, 2 of them padding, so 3 pairs.
    const VelaLayer layer = velaLayersOfZoo("ds_cnn")[0];
    CHECK(layer.input == VelaExtent{49, 5, 2});
    CHECK(layer.filter == VelaExtent{10, 3, 1});
    CHECK(layer.output == VelaExtent{25, 5, 64});
    CHECK(layer.rowStride == 2);
    CHECK(layer.columnStride == 1);
    CHECK(layer.weightBytes() == 10 * 3 * 2 * 64);
    CHECK(layer.readsImage);
}

TEST_CASE("other layers are unchanged [E-3]") {
    const VelaLayer strided{.kind = VelaKind::kConvolution,
                            .input = {8, 8, 4},
                            .output = {4, 4, 8},
                            .filter = {3, 3, 1},
                            .rowStride = 2,
                            .columnStride = 2};
    CHECK(withPairedColumns(strided).input == VelaExtent{8, 4, 8});
    VelaLayer layer = strided;
    layer.input.channels = 5;  // ten together
    CHECK(withPairedColumns(layer).input == layer.input);
    layer = strided;
    layer.input.columns = 7;
    CHECK(withPairedColumns(layer).input == layer.input);
    layer = strided;
    layer.columnStride = 1;
    CHECK(withPairedColumns(layer).input == layer.input);
    // Only the network's input is transformed: MobileNetV1's second strided layer is depthwise.
    CHECK(velaLayersOfZoo("mobilenet_v1_025_96")[3].columnStride == 2);
}

TEST_CASE("a convolution of one pixel is a matrix product [E-3]") {
    const auto layers = velaLayersOfZoo("mobilenet_v2");
    CHECK(layers.back().kind == VelaKind::kFullyConnected);
    CHECK(layers.back().weightBytes() == 1'280 * 1'001);
    CHECK(layers[layers.size() - 2].kind == VelaKind::kPool);
    CHECK(layers[layers.size() - 2].filter == VelaExtent{7, 7, 1});
    CHECK(velaLayersOfZoo("autoencoder").back().writesResult);
}

TEST_SUITE_END();

}  // namespace
