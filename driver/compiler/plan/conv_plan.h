// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driver/compiler/ir/graph.h"
#include "driver/compiler/plan/cost_model.h"
#include "driver/compiler/plan/workspace.h"

namespace vnpu::driver {

/// Tensors of a node that lie in SRAM completely, so that it need not load or store them.
struct ResidentTensors {
    bool input = false;
    bool output = false;
    bool filter = false;  // of convolutions that are not depthwise
};

/// How the MAC command of a tile is cut into blocks, so that the results of each fit half of the
/// accumulators. The output stage drains a block while the array computes the next one, of the same
/// tile or of the next.
struct MacCut {
    std::uint32_t rows = 1, columns = 1, channels = 1;  // of a block
    std::uint64_t blocks = 0;                           // per tile
    double arrayCycles = 0;                             // per tile, if another one follows
    double tailCycles = 0;  // what the last block takes longer, as none follows
};

/// Tile sizes and loop order of a convolution. Loops from outer to inner: output channels, space
/// (isWeightsOuter) or space, output channels; then input depth.
struct ConvLoops {
    bool isWeightsOuter = false;
    bool splitsInput = false;  // input tiles hold one depth chunk instead of all channels
    bool storesWhole = false;  // output tiles hold all channels; stored once per place
    std::uint32_t rows = 1, columns = 1;
    std::uint32_t channels = 1;  // output channels of a tile, all of one group
    std::uint32_t depth = 1;     // input channels of a chunk of a group
};

struct ConvPlan : ConvLoops {
    MacCut cut;
    SlotSet input, filter, output, tables;
    bool loadsTablesOnce = true;  // bias and scales of all channels
    std::uint64_t commands = 0;
    double cycles = 0;
};

/// A plan without addresses and tables, in few bytes, as a node has tens of thousands of them.
struct ConvCandidate {
    ConvLoops loops;
    std::uint8_t inputSlots = 0, filterSlots = 0, outputSlots = 0;
    std::uint64_t bytes = 0;  // of all slots
    double cycles = 0;
};

/// The dimensions by which tiles are divided.
enum class TileDivision : std::uint8_t {
    kRowsAndChannels,  // channels in multiples of the array's columns
    kDepth,            // and rows and channels likewise
    kFewChannels,      // rows, and channels down to one
    kColumns,          // and all others
};

/// What a plan's estimate depends on beside its node.
struct ConvSurroundings {
    ResidentTensors resident;
    std::uint64_t aheadBytes = 0;  // Workspace::aheadBytes
    bool readsPixels = false;      // loads of the input take a row for each pixel
};

/// All plans whose tiles the whole SRAM could hold, by rising cycles.
std::vector<ConvCandidate> convCandidates(const ConvNode& node, const CostModel& costs,
                                          const ConvSurroundings& surroundings,
                                          TileDivision division);

/// Gives the plan the candidate's loops and the numbers and sizes of its buffers. `node` is that of
/// the candidate.
void setBuffers(const ConvCandidate& candidate, const ConvNode& node, ConvPlan& plan);

/// Sets the blocks, commands and cycles of a plan with loops and buffers.
void estimatePlan(const ConvNode& node, const CostModel& costs,
                  const ConvSurroundings& surroundings, ConvPlan& plan);

/// A tile's results, for cutTile.
struct MacTile {
    std::uint32_t rows = 1, columns = 1;
    std::span<const std::uint32_t> blockChannels;  // of a block, to try; falling from the tile's
    std::uint32_t depth = 1;                       // input channels of one result
    std::uint64_t commands = 1;                    // of the node: tiles that follow each other
    bool isOneBlock = false;  // its sums accumulate over several commands; they fit one block
};

/// The blocks that take the least time. No blocks: a single result does not fit the accumulators.
MacCut cutTile(const MacTile& tile, const ConvNode& node, const CostModel& costs);

/// Accumulators that one block may use: half of them, so that the other half can drain meanwhile.
std::uint64_t accumulatorsPerBlock(const DeviceInfo& device);

/// Extents extent/1, extent/2, ... rounded up to multiples of `unit`, each once, falling.
std::vector<std::uint32_t> dividedExtents(std::uint32_t extent, std::uint32_t unit);

}  // namespace vnpu::driver
