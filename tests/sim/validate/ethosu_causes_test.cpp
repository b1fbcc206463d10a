// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/ethosu/ethosu_causes.h"

#include <doctest/doctest.h>

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

/// Two layers of 10 x 10 pixels, 16 channels and kernels: 256 weights and 64 bytes of biases each;
/// 560 bytes are read and written.
EthosUNetwork network() {
    VelaLayer first, second;
    second.operation = 1;
    return {{pointwiseLayer(), pointwiseLayer()}, {first, second}, 560};
}

vnpu::hw::NpuConfig device() {
    vnpu::hw::NpuConfig config;
    config.mac.rows = config.mac.columns = 16;
    config.dram.bytesPerCycle = 2.0;
    return config;
}

/// On 16 x 16 a layer takes 2 * 16 + 16 + 100 - 2 = 146 cycles. The first moves 800 bytes (400
/// cycles) in two tiles, the second 400 (200) in four; 473 + 236.5 one after the other, 600 if all
/// overlaps.
Measurement runOf(std::uint64_t cycles) {
    Measurement run;
    run.cycles = cycles;
    run.macActiveCycles = 292;
    run.bytesRead = 800;
    run.bytesWritten = 400;
    run.operations = {{146, 0, 800, 2}, {146, 0, 400, 4}};
    return run;
}

/// 946 cycles for the first, of reading an image, and 237 for the second, of products.
std::vector<VelaCycles> velaCycles() {
    VelaCycles first{.blocks = 0.0, .maps = 0.0, .mapsOutside = 946.0};
    VelaCycles second{.block = {200.0, 100.0, 10.0, 5.0, 1.0}, .blocks = 237.0};
    return {first, second};
}

EthosUCauses causesOf(const Measurement& run) {
    return explainEthosU(network(), velaCycles(), device(), run);
}

TEST_SUITE_BEGIN("sim/validate/ethosu_causes");

TEST_CASE("the array's closed form is that of the layer's product [E-3]") {
    CHECK(ethosUArrayCycles(pointwiseLayer(), device().mac) == 146);
    LayerParameters depthwise = pointwiseLayer();
    depthwise.isDepthwise = true;
    depthwise.channels = 1;
    depthwise.filterRows = depthwise.filterColumns = 3;
    vnpu::hw::MacConfig mac = device().mac;
    mac.depthwiseColumns = 4;
    // Four folds of four channels, nine taps on 16 rows: 32 + 4 + 100 - 2, then 100 each.
    CHECK(ethosUArrayCycles(depthwise, mac) == 134 + 3 * 100);
    CHECK(ethosUArrayCycles({}, mac) == 0);
}

TEST_CASE("Vela's cycles replace ours, and the differences have names [E-3]") {
    const EthosUCauses causes = causesOf(runOf(946));
    CHECK(causes.serialRatio == doctest::Approx(709.5 / 946));
    CHECK(causes.overlappedRatio == doctest::Approx(600.0 / 946));
    CHECK(causes.arrayRatio == doctest::Approx(1.0));
    CHECK(causes.bytesRatio == doctest::Approx(1.0));
    CHECK(causes.byVelaRules == doctest::Approx(946.0 * (946 + 237) / 709.5));
    // 946 - 473 is half of the run; 237 - 236.5 is negligible.
    CHECK(causes.costs == "image in short bursts +50 %");
}

TEST_CASE("if our operation takes longer, our own limit is named [E-3]") {
    Measurement run = runOf(1'000);
    run.operations[0] = {1'946, 0, 0, 1};
    CHECK(causesOf(run).costs == "our array -100 %");
    run.operations[0] = {0, 0, 3'892, 1};
    CHECK(causesOf(run).costs == "our transfers -100 %");
}

TEST_CASE("a run explained by its parts lies between their sums [E-3]") {
    CHECK(causesOf(runOf(710)).isAccounted);
    CHECK(causesOf(runOf(600)).isAccounted);
    CHECK(causesOf(runOf(800)).isAccounted);  // 11 % are within 15
}

TEST_CASE("a run that is slow or fast without a cause is not accounted for [E-3]") {
    CHECK_FALSE(causesOf(runOf(946)).isAccounted);  // a third slower than the slower sum
    CHECK_FALSE(causesOf(runOf(1'420)).isAccounted);
    CHECK_FALSE(causesOf(runOf(500)).isAccounted);  // faster than memory
}

TEST_CASE("a slow array or needless traffic is not accounted for [E-3]") {
    Measurement run = runOf(1'020);
    run.macActiveCycles = 876;  // three times the closed form, and a run that is as slow
    run.operations = {{438, 0, 800, 2}, {438, 0, 400, 4}};
    CHECK(causesOf(run).serialRatio == doctest::Approx((438 + 200 + 438 + 50) / 1'020.0));
    CHECK_FALSE(causesOf(run).isAccounted);
    run = runOf(1'420);
    run.bytesRead = 2'000;  // twice the bytes, and a run that is as slow
    run.operations = {{146, 0, 1'600, 2}, {146, 0, 800, 4}};
    CHECK(causesOf(run).serialRatio == doctest::Approx((800 + 73 + 400 + 36.5) / 1'420.0));
    CHECK_FALSE(causesOf(run).isAccounted);
    run = runOf(710);
    run.macActiveCycles = 200;  // less than the required computation
    CHECK_FALSE(causesOf(run).isAccounted);
    run = runOf(710);
    run.operations.pop_back();
    CHECK_FALSE(causesOf(run).isAccounted);
}

TEST_SUITE_END();

}  // namespace
