// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/ethosu_causes.h"

#include <doctest/doctest.h>

#include "sim/models/source.h"

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

const std::vector<LayerParameters> kLayers = {{800, 16}, {50, 64}};

TEST_SUITE("sim/validate/ethosu_causes") {
    TEST_CASE("coded weights shorten what waits for them, and only that [E-3]") {
        // 1,000 - 0.5 * 800 = 600 bytes: 300 cycles; 300 + 300 of 800.
        CHECK(cyclesByVelaRules(runOfTwo(), kLayers, {0.5, 2.0, 0.0}) ==
              doctest::Approx(900.0 * 600 / 800));
        // As they are: nothing changes.
        CHECK(cyclesByVelaRules(runOfTwo(), kLayers, {1.0, 2.0, 0.0}) == doctest::Approx(900.0));
        // Down to nothing: what computes stays.
        CHECK(cyclesByVelaRules(runOfTwo(), {{1'000, 0}, {100, 0}}, {0.0, 2.0, 0.0}) ==
              doctest::Approx(900.0 * 400 / 800));
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

    TEST_CASE("filters and biases are those of the network's operations [E-3]") {
        // source: MLPerf Tiny, anomaly detection: 640, 128 x 4, 8, 128 x 4, 640
        const auto layers =
                layerParametersOf(loadNetwork("zoo:autoencoder", {.zeroWeights = true}));
        std::uint64_t weights = 0, channels = 0;
        for (const LayerParameters& layer : layers) {
            weights += layer.weightBytes;
            channels += layer.biasedChannels;
        }
        CHECK(weights == 640 * 128 + 3 * 128 * 128 + 128 * 8 + 8 * 128 + 3 * 128 * 128 + 128 * 640);
        CHECK(channels == 4 * 128 + 8 + 4 * 128 + 640);
    }
}

}  // namespace
