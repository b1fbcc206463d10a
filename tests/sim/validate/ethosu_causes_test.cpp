// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/ethosu_causes.h"

#include <doctest/doctest.h>

namespace {

using namespace vnpu::sim;

/// One operation waits for 1,000 bytes of memory at 2 a cycle, 800 of them weights; one computes
/// for 300 cycles. They take 900 cycles, 100 more than 500 + 300.
Measurement runOfTwo() {
    Measurement run;
    run.cycles = 900;
    run.operations = {{100, 0, 1'000, 1}, {300, 0, 100, 1}};
    return run;
}

LayerParameters denseLayer(std::uint64_t kernels, std::uint64_t channels) {
    return {.rows = 1,
            .columns = 1,
            .kernels = kernels,
            .inputRows = 1,
            .channels = channels,
            .filterRows = 1,
            .filterColumns = 1};
}

const std::vector<LayerParameters> kLayers = {denseLayer(16, 50), denseLayer(64, 1)};

TEST_SUITE("sim/validate/ethosu_causes") {
    TEST_CASE("coded weights shorten what waits for them, and only that [E-3]") {
        // 1,000 - 0.5 * 800 = 600 bytes: 300 cycles; 300 + 300 of 800.
        CHECK(cyclesByVelaRules(runOfTwo(), kLayers, {0.5, 2.0, 0.0}) ==
              doctest::Approx(900.0 * 600 / 800));
        // As they are: nothing changes.
        CHECK(cyclesByVelaRules(runOfTwo(), kLayers, {1.0, 2.0, 0.0}) == doctest::Approx(900.0));
        // Down to nothing: what computes stays.
        CHECK(cyclesByVelaRules(runOfTwo(), {denseLayer(1, 1'000), denseLayer(1, 100)},
                                {0.0, 2.0, 0.0}) == doctest::Approx(900.0 * 400 / 800));
    }

    TEST_CASE("biases take a latency for 256 of their bytes where nothing else is longer [E-3]") {
        // 10 * 64 * 512 / 256 = 1,280 cycles for the second, 320 for the first, which takes 500.
        CHECK(cyclesByVelaRules(runOfTwo(), kLayers, {1.0, 2.0, 512.0}) ==
              doctest::Approx(900.0 * 1'780 / 800));
    }

    TEST_CASE("a slower device stays slower by these rules [E-3]") {
        Measurement slow = runOfTwo();
        slow.cycles *= 2;
        CHECK(cyclesByVelaRules(slow, kLayers, {0.5, 2.0, 64.0}) ==
              doctest::Approx(2 * cyclesByVelaRules(runOfTwo(), kLayers, {0.5, 2.0, 64.0})));
        slow.operations.clear();
        CHECK(cyclesByVelaRules(slow, kLayers, {0.5, 2.0, 64.0}) == 0.0);
    }

    TEST_CASE("Vela's array takes whole micro-blocks of pixels, kernels and channels [E-3]") {
        const VelaRules u65{.microRows = 2, .microColumns = 2};
        LayerParameters layer = denseLayer(64, 64);
        layer.rows = 25;
        layer.columns = 5;
        // 13 * 3 * 8 micro-blocks; two times 32 channels beat eight times 8 of one tap in four.
        CHECK(velaArrayCycles(layer, u65) == 4 * 312 * 2);
        // 40 taps of one channel: ten times four.
        layer.channels = 1;
        layer.filterRows = 10;
        layer.filterColumns = 4;
        CHECK(velaArrayCycles(layer, u65) == 4 * 312 * 10);
        // Nine taps of a depthwise filter: three times four. Two cores halve it.
        layer.isDepthwise = true;
        layer.filterRows = layer.filterColumns = 3;
        CHECK(velaArrayCycles(layer, u65) == 4 * 312 * 3);
        CHECK(velaArrayCycles(layer, {.microRows = 2, .microColumns = 2, .cores = 2}) ==
              2 * 312 * 3);
        // U55-128: one row of two pixels, 25 * 3 * 8.
        CHECK(velaArrayCycles(layer, {.microRows = 1, .microColumns = 2}) == 4 * 600 * 3);
    }

    TEST_CASE("an array that takes longer makes the run longer [E-3]") {
        // 4 cycles * 64 / 8 kernels * ceil(1,000 / 32) channels = 1,024 where ours took 300.
        const std::vector<LayerParameters> layers = {denseLayer(16, 50), denseLayer(64, 1'000)};
        CHECK(cyclesByVelaRules(runOfTwo(), layers,
                                {.bytesPerCycle = 2.0, .microRows = 2, .microColumns = 2}) ==
              doctest::Approx(900.0 * (500 + 1'024) / 800));
    }
}

}  // namespace
