// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/nvdla/nvdla_causes.h"

#include <doctest/doctest.h>

namespace {

using namespace vnpu::sim;

vnpu::hw::MacConfig arrayOf(std::uint32_t rows, std::uint32_t columns) {
    vnpu::hw::MacConfig mac;
    mac.rows = rows;
    mac.columns = columns;
    mac.dataflow = vnpu::hw::Dataflow::kBroadcast;
    mac.winograd = true;
    return mac;
}

/// A layer with `size` x `size` outputs.
LayerParameters layerOf(std::uint64_t size, std::uint64_t channels, std::uint64_t kernels,
                        std::uint64_t filter, std::uint64_t stride = 1) {
    return {.rows = size,
            .columns = size,
            .kernels = kernels,
            .inputRows = size * stride,
            .channels = channels,
            .filterRows = filter,
            .filterColumns = filter};
}

NvdlaLayer sheetLayer() {
    NvdlaLayer layer;
    layer.inputSize = layer.outputSize = layer.pooledSize = 10;
    layer.channels = 64;
    layer.kernels = 32;
    return layer;
}

/// Two layers of 1 x 1 with 64 channels and kernels over 10 x 10 pixels on 64 x 32: 200 array
/// cycles each. One is bound by memory (3,500 bytes and 500 of commands at 10 a cycle: 400), in 4
/// tiles; the other by the array (900 bytes and 100 of commands: 100), in 2 tiles.
/// 400 + 200 / 4 + 200 + 100 / 2 = 700.
const NvdlaPoint kPoint{2048, 512, 10.0};

const std::vector<LayerParameters> kLayers = {layerOf(10, 64, 64, 1), layerOf(10, 64, 64, 1)};
const NvdlaNetwork kSheet = {"two", {sheetLayer(), sheetLayer()}, {}};

Measurement sheetRun(std::uint64_t cycles) {
    Measurement run;
    run.cycles = cycles;
    run.macActiveCycles = 400;
    run.bytesRead = 3'500;
    run.bytesWritten = 900;
    run.operations = {{200, 0, 3'500, 4, 500}, {200, 0, 900, 2, 100}};
    return run;
}

TEST_SUITE_BEGIN("sim/validate/nvdla_causes");

TEST_CASE("an array processes whole groups of channels, kernels and tiles [E-3]") {
    const auto mac = arrayOf(64, 32);
    // 25 taps * ceil(16/64) * ceil(48/32) * 14 * 14: four times what 16 channels would need.
    CHECK(nvdlaArrayCycles(layerOf(14, 16, 48, 5), mac) == 25 * 2 * 196);
    // 16 steps * ceil(160/64) * ceil(320/32) * 4 * 4 tiles over 7 x 7 pixels.
    CHECK(nvdlaArrayCycles(layerOf(7, 160, 320, 3), mac) == 16 * 3 * 10 * 16);
    // An image: 7 * 3 = 21 of 64 rows, two filter rows in a step, ceil(7/2) steps.
    CHECK(nvdlaArrayCycles(layerOf(112, 3, 64, 7, 2), mac) == 4 * 2 * 12'544);
    // Without Winograd where the stride is 2.
    CHECK(nvdlaArrayCycles(layerOf(7, 160, 320, 3, 2), mac) == 9 * 3 * 10 * 49);
    // On eight rows: 21 take three steps for each of seven filter rows.
    CHECK(nvdlaArrayCycles(layerOf(112, 3, 64, 7, 2), arrayOf(8, 4)) == 21 * 16 * 12'544);
}

TEST_CASE("plain traffic moves each operand once [E-3]") {
    NvdlaLayer layer = sheetLayer();
    CHECK(nvdlaPlainBytes(layer) == 6'400 + 2'048 + 3'200);
    layer.addsElementwise = true;
    CHECK(nvdlaPlainBytes(layer) == 6'400 + 2'048 + 6'400);
    layer.sharesInput = true;
    CHECK(nvdlaPlainBytes(layer) == 2'048 + 6'400);
}

TEST_CASE("a device that follows the rule is explained [E-3]") {
    const auto causes = explainNvdla(kSheet, kLayers, kPoint, arrayOf(64, 32), sheetRun(700), 1.0);
    CHECK(causes.ruleCycles == doctest::Approx(700.0));
    CHECK(causes.fillCycles == doctest::Approx(100.0));
    CHECK(causes.arrayRatio == doctest::Approx(1.0));
    CHECK(causes.isExplained);
}

TEST_CASE("a device with another time or another array is not explained [E-3]") {
    const auto isExplained = [](const Measurement& run) {
        return explainNvdla(kSheet, kLayers, kPoint, arrayOf(64, 32), run, 1.0).isExplained;
    };
    CHECK_FALSE(isExplained(sheetRun(910)));  // 30 % slower
    CHECK_FALSE(isExplained(sheetRun(490)));  // 30 % faster
    CHECK_FALSE(isExplained(sheetRun(790)));
    Measurement run = sheetRun(700);
    run.macActiveCycles = 520;  // 30 % more than the array's closed form
    CHECK_FALSE(isExplained(run));
    run = sheetRun(700);
    run.operations[0].bytes = 6'000;  // its traffic would take longer than the run
    CHECK_FALSE(isExplained(run));
    run = sheetRun(700);
    run.operations[0].streamBytes = 3'000;  // and so would its commands
    CHECK_FALSE(isExplained(run));
    run = sheetRun(700);
    run.operations.clear();
    CHECK_FALSE(isExplained(run));
}

TEST_SUITE_END();

}  // namespace
