// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/validate/ethosu/vela_accelerator.h"
#include "sim/validate/ethosu/vela_block.h"
#include "sim/validate/ethosu/vela_layer.h"

namespace vnpu::sim {

/// The memory of a feature map.
struct VelaMap {
    VelaMemory memory{};
    bool isInRows = false;   // all channels of a pixel side by side, not bricks of 16
    bool isOutside = false;  // not in SRAM
};

struct VelaMaps {
    VelaMap in, out;
};

/// Maps are in SRAM, except the input and the result of the network.
VelaMaps velaMapsOf(const VelaLayer& layer, const VelaAccelerator& accelerator);

/// The maps as Vela assumes them while it plans transfers of weights: not in SRAM yet.
VelaMaps velaPlannedMaps(const VelaLayer& layer, const VelaAccelerator& accelerator);

/// Cycles of one block. While a block is computed, the previous one is written.
struct VelaBlockCycles {
    double products = 0.0;
    double outputs = 0.0;
    double biases = 0.0;   // to read the biases: one latency per 256 bytes
    double command = 0.0;  // least time of a block: all of its latencies and work over four
    double count = 1.0;    // of blocks

    /// Cycles of all blocks: the longer of computing and writing for each, and the shorter once.
    double layer() const;
};

inline constexpr double kVelaBiasBytes = 10.0;  // of a channel: bias, scale and shift

VelaBlockCycles velaBlockCycles(const VelaLayer& layer, const VelaBlock& block,
                                const VelaAccelerator& accelerator, const VelaMaps& maps);

/// Cycles to read the inputs of all blocks of a layer and to write its output. Runs shorter than a
/// burst of the memory cost a complete burst each.
double velaReadCycles(const VelaLayer& layer, const VelaBlock& block, const VelaMap& in);
double velaWriteCycles(const VelaLayer& layer, const VelaBlock& block, const VelaMap& out,
                       std::uint64_t cores);

}  // namespace vnpu::sim
