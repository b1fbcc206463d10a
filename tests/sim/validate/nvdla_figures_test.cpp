// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/nvdla/nvdla_figures.h"

#include <doctest/doctest.h>

#include "sim/import/source.h"

namespace {

using namespace vnpu::sim;

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

TEST_SUITE_BEGIN("sim/validate/nvdla_figures");

TEST_CASE("an array processes whole groups of channels, kernels and tiles [E-3]") {
    const NvdlaArray array{64, 32};
    // 25 taps * ceil(16/64) * ceil(48/32) * 14 * 14: four times what 16 channels would need.
    CHECK(nvdlaArrayCycles(layerOf(14, 16, 48, 5), array) == 25 * 2 * 196);
    // 16 steps * ceil(160/64) * ceil(320/32) * 4 * 4 tiles over 7 x 7 pixels.
    CHECK(nvdlaArrayCycles(layerOf(7, 160, 320, 3), array) == 16 * 3 * 10 * 16);
    // An image: 7 * 3 = 21 of 64 rows, two filter rows in a step, ceil(7/2) steps.
    CHECK(nvdlaArrayCycles(layerOf(112, 3, 64, 7, 2), array) == 4 * 2 * 12'544);
    // Without Winograd where the stride is 2.
    CHECK(nvdlaArrayCycles(layerOf(7, 160, 320, 3, 2), array) == 9 * 3 * 10 * 49);
    // Two groups of 48 kernels on 32: 25 taps * ceil(24/64) * 2 * ceil(48/32) * 14 * 14.
    LayerParameters grouped = layerOf(14, 24, 96, 5);
    grouped.groups = 2;
    CHECK(nvdlaArrayCycles(grouped, array) == 25 * 2 * 2 * 196);
    // On eight rows: 21 take three steps for each of seven filter rows.
    CHECK(nvdlaArrayCycles(layerOf(112, 3, 64, 7, 2), {8, 4}) == 21 * 16 * 12'544);
}

TEST_CASE("the sheet's time is split into its array and what it waits for memory [E-3]") {
    // 10 x 10 x 64 to 32 kernels of 1 x 1 on 2,048 MACs: 100 cycles; 6,400 + 2,048 + 3,200 bytes at
    // 10 GB/s and 1.024 take 1,137.5.
    NvdlaLayer layer;
    layer.inputSize = layer.outputSize = layer.pooledSize = 10;
    layer.channels = 64;
    layer.kernels = 32;
    const NvdlaPoint point{2048, 512, 10.0, {64, 32}};
    const ReferenceTime time = nvdlaReferenceTime({"one", {layer}, {}}, point, 1e6);
    CHECK(time.published == 1'000);
    CHECK(time.array == doctest::Approx(100.0));
    CHECK(time.transfers == doctest::Approx(11'648 / 10.24 - 100.0));
    CHECK(time.outputs == 0.0);
}

TEST_CASE("the sheet's bytes are those of all layers [E-3]") {
    NvdlaLayer layer;
    layer.inputSize = layer.outputSize = layer.pooledSize = 10;
    layer.channels = 64;
    layer.kernels = 32;
    NvdlaLayer pooling = layer;
    pooling.poolsInput = true;
    // Twice the bytes above, and the second one's input once more for its pool.
    CHECK(nvdlaSheetBytes({layer, pooling}, {2048, 512, 10.0, {64, 32}}) == 2 * 11'648 + 6'400);
}

TEST_CASE("a batch repeats the array's work, but not the filters [E-3]") {
    const auto figuresOf = [](std::uint32_t batch) {
        return nvdlaWorkFigures(loadNetwork("zoo:alexnet", {.zeroWeights = true, .batch = batch}),
                                kNvdlaPoints[0], batch);
    };
    const WorkFigures one = figuresOf(1), two = figuresOf(2);
    CHECK(two.operations[0].arrayCycles == 2 * one.operations[0].arrayCycles);
    CHECK(two.operations[0].outputCycles == 2 * one.operations[0].outputCycles);
    // 55 x 55 (or 54 x 54) results of 64 kernels at 32 a cycle.
    CHECK(one.operations[0].outputCycles > 54 * 54 * 2);
    CHECK(one.operations[0].outputCycles < 56 * 56 * 2 + 1);
    // 61 MB of filters, and maps of 4 MB at most.
    CHECK(two.mostBytes > one.mostBytes);
    CHECK(two.mostBytes < one.mostBytes + 4e6);
    CHECK(two.leastBytes - one.leastBytes < 2e6);
}

TEST_SUITE_END();

}  // namespace
