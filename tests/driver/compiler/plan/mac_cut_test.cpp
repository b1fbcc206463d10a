// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <span>

#include "driver/compiler/plan/conv_plan.h"

namespace vnpu::driver {
namespace {

constexpr std::uint32_t kBroadcast = 2;  // ConfigMac::kDataflow

/// A weight-stationary array of 16 x 16 with double-buffered weights, and an output stage of 16
/// results a cycle.
DeviceInfo deviceOf16x16() {
    DeviceInfo device;
    device.macRows = device.macColumns = 16;
    device.weightDoubleBuffer = true;
    device.outputLanes = 16;
    device.accumulatorBytes = 1U << 20U;
    return device;
}

/// A 1 x 1 convolution of 32 x 32 pixels and 16 channels.
ConvNode convolutionTo(std::uint32_t outputs) {
    ConvNode node;
    node.geometry.inputHeight = node.geometry.inputWidth = 32;
    node.geometry.outputHeight = node.geometry.outputWidth = 32;
    node.geometry.inputChannels = 16;
    node.geometry.outputChannels = outputs;
    return node;
}

MacTile wholeOf(const ConvNode& node, std::span<const std::uint32_t> blockChannels) {
    return {.rows = node.geometry.outputHeight,
            .columns = node.geometry.outputWidth,
            .blockChannels = blockChannels,
            .depth = node.geometry.inputChannels};
}

constexpr std::array<std::uint32_t, 1> k16Channels = {16};

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/plan/mac_cut");

TEST_CASE("most results of a node's only tile leave while others are computed [E-3]") {
    const DeviceInfo device = deviceOf16x16();
    const ConvNode node = convolutionTo(16);

    const MacCut cut = cutTile(wholeOf(node, k16Channels), node, CostModel(device));

    // As a whole, 1070 cycles of the array and 1024 of the output stage. In four blocks of eight
    // rows, four times 302 cycles of the array and 256 of the output stage behind the last one.
    CHECK(cut.blocks == 4);
    CHECK(cut.rows == 8);
    CHECK(cut.columns == 32);
    CHECK(cut.channels == 16);
    CHECK(cut.arrayCycles == 4 * (2 * 16 + 16 - 2 + 256));
    CHECK(cut.tailCycles == 256);
}

TEST_CASE("a tile that others follow is not cut, since they hide its results [E-3]") {
    const DeviceInfo device = deviceOf16x16();
    const ConvNode node = convolutionTo(16);
    MacTile tile = wholeOf(node, k16Channels);

    // Two blocks take 46 cycles more for each tile, and 512 less for the last one.
    tile.commands = 11;
    CHECK(cutTile(tile, node, CostModel(device)).blocks == 2);
    tile.commands = 12;
    const MacCut cut = cutTile(tile, node, CostModel(device));
    CHECK(cut.blocks == 1);
    CHECK(cut.arrayCycles == 1070);
    CHECK(cut.tailCycles == 1024);
}

TEST_CASE("sums that several commands add to stay in one block [E-3]") {
    const DeviceInfo device = deviceOf16x16();
    const ConvNode node = convolutionTo(32);
    const std::array<std::uint32_t, 2> channels = {32, 16};
    MacTile tile = wholeOf(node, channels);
    tile.isOneBlock = true;

    const MacCut cut = cutTile(tile, node, CostModel(device));

    CHECK(cut.blocks == 1);
    CHECK(cut.channels == 32);
}

TEST_CASE("results that leave quickly do not cut a tile [E-3]") {
    DeviceInfo device = deviceOf16x16();
    device.outputLanes = 1024;  // 16 cycles, less than 2 % of 1070
    const ConvNode node = convolutionTo(16);

    CHECK(cutTile(wholeOf(node, k16Channels), node, CostModel(device)).blocks == 1);
}

TEST_CASE("a block fits half of the accumulators [E-3]") {
    DeviceInfo device = deviceOf16x16();
    device.accumulatorBytes = std::uint64_t{8} * 2048;  // 2048 of 32 bits in one half
    const ConvNode node = convolutionTo(16);

    const MacCut cut = cutTile(wholeOf(node, k16Channels), node, CostModel(device));
    CHECK(cut.rows * cut.columns * cut.channels == 2048);
    CHECK(cut.blocks == 8);

    device.accumulatorBytes = 8;  // not even the 16 results of a pixel
    CHECK(cutTile(wholeOf(node, k16Channels), node, CostModel(device)).blocks == 0);
}

TEST_CASE("a broadcast array takes no time for further blocks [E-3]") {
    DeviceInfo device = deviceOf16x16();
    device.dataflow = kBroadcast;
    const ConvNode node = convolutionTo(64);
    const std::array<std::uint32_t, 3> channels = {64, 32, 16};
    MacTile tile = wholeOf(node, channels);
    tile.commands = 1000;

    const MacCut cut = cutTile(tile, node, CostModel(device));

    // Each of four groups of 16 kernels meets 1024 pixels.
    CHECK(cut.arrayCycles == 4 * 1024);
    CHECK(cut.tailCycles <= 1024);
}

TEST_SUITE_END();

}  // namespace vnpu::driver
