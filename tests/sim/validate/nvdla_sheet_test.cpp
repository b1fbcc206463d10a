// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/nvdla/nvdla_sheet.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace {

using vnpu::sim::kNvdlaPoints;
using vnpu::sim::NvdlaLayer;
using vnpu::sim::nvdlaLayerCycles;
using vnpu::sim::NvdlaNetwork;
using vnpu::sim::nvdlaNetworks;

NvdlaLayer layerOf(const char* network, const char* name) {
    for (const NvdlaNetwork& candidate : nvdlaNetworks()) {
        if (candidate.name == network) {
            const auto found =
                    std::find_if(candidate.layers.begin(), candidate.layers.end(),
                                 [&](const NvdlaLayer& layer) { return layer.name == name; });
            REQUIRE(found != candidate.layers.end());
            return *found;
        }
    }
    FAIL("no such network");
    return {};
}

// All values are calculated by hand for 2048 MACs, 512 KiB, 20 GB/s; 20.48 bytes of 1000 per cycle.
TEST_SUITE_BEGIN("sim/validate/nvdla_sheet");

TEST_CASE("a Winograd layer has 2.25 times fewer steps and 16 / 9 of the filters [E-3]") {
    const auto cycles = nvdlaLayerCycles(layerOf("alexnet", "conv3"), kNvdlaPoints[0]);
    // 256 * 384 * 9 * 13 * 13 / 2048 / 2.25.
    CHECK(cycles.mac == doctest::Approx(32'448.0));
    // 256 * 384 * 16 filters, 13 * 13 * 256 in, 13 * 13 * 384 out.
    CHECK(cycles.dram == doctest::Approx((1'572'864 + 43'264 + 64'896) / 20.48));
}

TEST_CASE("a strided layer has stride^2 as many channels, rounded up to 16 [E-3]") {
    const auto cycles = nvdlaLayerCycles(layerOf("resnet50", "conv1"), kNvdlaPoints[0]);
    // 16 channels * 112 * 112 * 64 kernels * 49 / 4 taps / 2048.
    CHECK(cycles.mac == doctest::Approx(76'832.0));
    // 16 * 4 * 4 * 64 filters, 16 * 112 * 112 in, 56 * 56 * 64 pooled.
    CHECK(cycles.dram == doctest::Approx((16'384 + 200'704 + 200'704) / 20.48));
}

TEST_CASE("an input too large for the buffer is loaded in slices, each with all filters [E-3]") {
    const auto cycles = nvdlaLayerCycles(layerOf("resnet50", "conv3_1_shortcut"), kNvdlaPoints[0]);
    // 1024 * 28 * 28 in = 802,816 beside 32 kernels of 1024 in 524,288: two slices.
    CHECK(cycles.dram == doctest::Approx((2 * 524'288 + 802'816 + 401'408) / 20.48));
}

TEST_CASE("filters of a fully connected layer serve 16 frames [E-3]") {
    const auto cycles = nvdlaLayerCycles(layerOf("alexnet", "fc8"), kNvdlaPoints[0]);
    CHECK(cycles.mac == doctest::Approx(2'000.0));
    CHECK(cycles.dram == doctest::Approx((256'000 + 4'096 + 1'008) / 20.48));
}

TEST_CASE("an element-wise sum moves its operand and its result [E-3]") {
    NvdlaLayer layer = layerOf("resnet50", "conv2_1_expand");
    const double with = nvdlaLayerCycles(layer, kNvdlaPoints[0]).dram;
    layer.addsElementwise = false;
    const double without = nvdlaLayerCycles(layer, kNvdlaPoints[0]).dram;
    CHECK(with - without == doctest::Approx(2 * 56 * 56 * 256 / 20.48));
}

TEST_CASE("branches of a module read its input once, its pool once more [E-3]") {
    const auto branch = nvdlaLayerCycles(layerOf("googlenet", "3a_5x5_reduce"), kNvdlaPoints[0]);
    CHECK(branch.dram == doctest::Approx((192 * 16 + 28 * 28 * 16) / 20.48));
    const auto pool = nvdlaLayerCycles(layerOf("googlenet", "3a_pool"), kNvdlaPoints[0]);
    CHECK(pool.poolDram == doctest::Approx(28 * 28 * 192 / 20.48));
}

TEST_CASE("every published number is reproduced within 2 % [E-3]") {
    for (const NvdlaNetwork& network : nvdlaNetworks()) {
        for (std::size_t i = 0; i < kNvdlaPoints.size(); ++i) {
            CAPTURE(network.name);
            CAPTURE(kNvdlaPoints[i].macs);
            CHECK(vnpu::sim::nvdlaFramesPerSecond(network.layers, kNvdlaPoints[i]) ==
                  doctest::Approx(network.framesPerSecond[i]).epsilon(0.02));
        }
    }
}

TEST_SUITE_END();

}  // namespace
