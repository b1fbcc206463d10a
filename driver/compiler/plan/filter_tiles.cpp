// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan/filter_tiles.h"

#include "driver/compiler/ir/window_reach.h"

namespace vnpu::driver {

CopyAxes FilterTile::axes(std::uint64_t elementBytes) const {
    return {{rows, step * elementBytes, run * elementBytes}, {run, elementBytes, elementBytes}};
}

std::uint32_t channelTiles(const ConvNode& node, const ConvLoops& loops) {
    return node.groups * partsOf(node.groupOutputs(), loops.channels);
}

Part channelTile(const ConvNode& node, const ConvLoops& loops, std::uint32_t index) {
    const std::uint32_t tiles = partsOf(node.groupOutputs(), loops.channels);
    Part tile = partOf(index % tiles, loops.channels, node.groupOutputs());
    tile.begin += index / tiles * node.groupOutputs();
    return tile;
}

std::uint32_t depthChunks(const ConvNode& node, const ConvLoops& loops) {
    return partsOf(node.groupInputs(), loops.depth);
}

Part depthChunk(const ConvNode& node, const ConvLoops& loops, std::uint32_t index) {
    return partOf(index, loops.depth, node.groupInputs());
}

FilterTile filterTile(const ConvNode& node, const Part& channels, const Part& depth) {
    const WindowGeometry& g = node.geometry;
    const std::uint64_t taps = std::uint64_t{g.filterHeight} * g.filterWidth;
    if (node.isDepthwise()) {  // [taps][channels]
        return {channels.begin, taps, channels.count, g.outputChannels};
    }
    const std::uint64_t step = node.groupInputs();  // [channels][taps][depth]
    return {channels.begin * taps * step + depth.begin, taps * channels.count, depth.count, step};
}

}  // namespace vnpu::driver
