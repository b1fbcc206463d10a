// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/compiler/ir/copy_axes.h"
#include "driver/compiler/ir/graph.h"
#include "driver/compiler/plan/conv_plan.h"

namespace vnpu::driver {

/// Elements of a constant that one transfer loads: `rows` runs of `run` elements, `step` apart.
struct FilterTile {
    std::uint64_t first = 0;
    std::uint64_t rows = 1;
    std::uint64_t run = 0;
    std::uint64_t step = 0;

    std::uint64_t elements() const { return rows * run; }
    /// Whether the runs lie side by side.
    bool isDense() const { return rows == 1 || step == run; }
    /// Their steps in bytes, for a dense tile.
    CopyAxes axes(std::uint64_t elementBytes) const;
};

/// The tiles into which a plan divides output channels; each lies within one group.
std::uint32_t channelTiles(const ConvNode& node, const ConvLoops& loops);
Part channelTile(const ConvNode& node, const ConvLoops& loops, std::uint32_t index);

/// The chunks into which it divides the input channels of a group.
std::uint32_t depthChunks(const ConvNode& node, const ConvLoops& loops);
Part depthChunk(const ConvNode& node, const ConvLoops& loops, std::uint32_t index);

/// The filter of output channels `channels` over input channels `depth` of their group.
FilterTile filterTile(const ConvNode& node, const Part& channels, const Part& depth);

}  // namespace vnpu::driver
