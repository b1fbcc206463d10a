// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/validate/ethosu/vela_accelerator.h"
#include "sim/validate/ethosu/vela_block.h"
#include "sim/validate/ethosu/vela_layer.h"

namespace vnpu::sim {

/// A feature map's memory.
struct VelaMap {
    VelaMemory memory{};
    bool isInRows = false;   // all channels of a pixel side by side, not bricks of 16
    bool isOutside = false;  // not in SRAM
};

struct VelaMaps {
    VelaMap in, out;
};

/// Maps are in SRAM, but for the network's own input and result.
VelaMaps velaMapsOf(const VelaLayer& layer, const VelaAccelerator& accelerator);

/// Where Vela takes them to be while it plans transfers of weights: not in SRAM yet.
VelaMaps velaPlannedMaps(const VelaLayer& layer, const VelaAccelerator& accelerator);

/// Cycles of one block. While one is computed the one before it is written.
struct VelaBlockCycles {
    double products = 0.0;
    double outputs = 0.0;
    double biases = 0.0;   // to read them: a latency for 256 of their bytes
    double command = 0.0;  // least time of a block: all of its latencies and work over four
    double count = 1.0;    // of blocks

    /// All blocks: the longer of computing and writing for each, the shorter once.
    double layer() const;
};

inline constexpr double kVelaBiasBytes = 10.0;  // of a channel: bias, scale and shift

VelaBlockCycles velaBlockCycles(const VelaLayer& layer, const VelaBlock& block,
                                const VelaAccelerator& accelerator, const VelaMaps& maps);

/// Cycles to read all that a layer's blocks take, and to write its output. Runs that are shorter
/// than a burst of the memory take a whole one each.
double velaReadCycles(const VelaLayer& layer, const VelaBlock& block, const VelaMap& in);
double velaWriteCycles(const VelaLayer& layer, const VelaBlock& block, const VelaMap& out,
                       std::uint64_t cores);

}  // namespace vnpu::sim
