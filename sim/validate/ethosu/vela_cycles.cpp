// SPDX-License-Identifier: Apache-2.0
// source of all rules and constants: Vela, npu_performance.py
#include "sim/validate/ethosu/vela_cycles.h"

#include <algorithm>
#include <cmath>

#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

constexpr double kStepCycles = 4.0;     // of a micro-block
constexpr double kFilterCycles = 32.0;  // to load the weights of a step
constexpr double kDelayCycles = 2.0;    // where a block is one micro-block, between steps
constexpr double kBiasBytesPerLatency = 256.0;
constexpr double kBlocksInFlight = 4.0;
constexpr std::uint64_t kBrick = 16;       // channels, feature maps in SRAM
constexpr std::uint64_t kWriteBytes = 64;  // longest write, row by row

VelaExtent smaller(const VelaExtent& a, const VelaExtent& b) {
    return {std::min(a.rows, b.rows), std::min(a.columns, b.columns),
            std::min(a.channels, b.channels)};
}

/// Cycles to move `elements` of a map in runs of contiguous elements of a block; a run shorter than
/// a burst costs a complete burst.
double transferCycles(const VelaMap& map, std::uint64_t runBytes, std::uint64_t elements) {
    const std::uint64_t run = std::min(runBytes, map.memory.burstBytes);
    return real(elements) * real(map.memory.burstBytes) / real(run) / map.memory.bytesPerCycle;
}

std::uint64_t readRun(const VelaMap& map, const VelaBlock& block) {
    return map.isInRows ? block.input.channels : kBrick * block.input.columns;
}

std::uint64_t writeRun(const VelaMap& map, const VelaBlock& block, std::uint64_t cores) {
    return map.isInRows ? std::min({kWriteBytes, kBrick * cores, block.output.channels})
                        : kBrick * block.output.columns * cores;
}

/// Channels as stored.
std::uint64_t stored(const VelaExtent& extent, bool isInRows) {
    return extent.pixels() *
           (isInRows ? extent.channels : kBrick * divideUp(extent.channels, kBrick));
}

/// Elements read: the input of a block, for each block and for each part of a large filter.
std::uint64_t elementsRead(const VelaLayer& layer, const VelaBlock& block, bool isInRows) {
    if (layer.kind == VelaKind::kSum) {
        return 2 * stored(layer.output, isInRows);
    }
    const VelaExtent in = smaller(layer.input, block.input);
    const VelaExtent out = smaller(layer.output, block.output);
    const bool readsOnce = layer.kind == VelaKind::kDepthwise || layer.kind == VelaKind::kPool;
    const std::uint64_t blocks = divideUp(layer.output.rows, out.rows) *
                                 divideUp(layer.output.columns, out.columns) *
                                 (readsOnce ? 1 : divideUp(layer.output.channels, out.channels));
    return stored({in.rows, in.columns, layer.input.channels}, isInRows) * blocks *
           divideUp(layer.filter.rows, kVelaFilterSide) *
           divideUp(layer.filter.columns, kVelaFilterSide);
}

/// Micro-blocks of a block.
struct MicroBlocks {
    double pixels, channels;
};

MicroBlocks microBlocksOf(const VelaLayer& layer, const VelaExtent& block,
                          const VelaAccelerator& accelerator) {
    const double channels = real(divideUp(block.channels, kVelaMicroChannels));
    const bool isRow = layer.output.rows == 1 && layer.output.columns % 2 == 0 &&
                       layer.filter.rows == 1 && layer.kind != VelaKind::kPool;
    if (isRow && accelerator.microRows == 2) {  // four pixels of a row instead of 2 x 2
        return {real(divideUp(block.columns, 2 * kVelaMicroColumns)), channels};
    }
    return {real(divideUp(block.rows, accelerator.microRows) *
                 divideUp(block.columns, kVelaMicroColumns)),
            channels};
}

/// Cycles of `taps` taps for one group of input channels.
double productCycles(const VelaLayer& layer, const VelaBlock& block, const MicroBlocks& micro,
                     std::uint64_t taps) {
    if (layer.kind == VelaKind::kPool) {
        return std::max(kStepCycles, real(taps)) * micro.pixels * micro.channels;
    }
    double steps = real(taps), groups = 1.0;
    if (layer.kind == VelaKind::kDepthwise) {
        steps = real(divideUp(taps, kVelaTapsTogether));
    } else if (block.takesTapsTogether) {
        steps = real(divideUp(taps, kVelaTapsTogether));
        groups = real(divideUp(std::min(layer.input.channels, block.input.channels),
                               kVelaChannelsTogether));
    }
    double delays = 0.0;
    if (micro.pixels == 1.0) {
        delays = micro.channels == 1.0 ? steps : (steps - 1.0) * micro.channels;
    }
    return groups * (std::max(kFilterCycles, kStepCycles * micro.pixels) * steps * micro.channels +
                     kDelayCycles * delays);
}

double productCyclesOf(const VelaLayer& layer, const VelaBlock& block,
                       const VelaAccelerator& accelerator) {
    const MicroBlocks micro =
            microBlocksOf(layer, smaller(layer.output, block.output), accelerator);
    double cycles = 0.0;
    for (std::uint64_t row = 0; row < layer.filter.rows; row += kVelaFilterSide) {
        for (std::uint64_t column = 0; column < layer.filter.columns; column += kVelaFilterSide) {
            cycles +=
                    productCycles(layer, block, micro,
                                  std::min(layer.filter.rows - row, kVelaFilterSide) *
                                          std::min(layer.filter.columns - column, kVelaFilterSide));
        }
    }
    if (layer.kind == VelaKind::kConvolution || layer.kind == VelaKind::kFullyConnected) {
        cycles *= real(divideUp(layer.input.channels,
                                std::min(layer.input.channels, block.input.channels)));
    }
    return cycles / real(accelerator.cores);
}

/// Latencies and transfers of a block's input and output.
double memoryCycles(const VelaLayer& layer, const VelaBlock& block,
                    const VelaAccelerator& accelerator, const VelaMaps& maps) {
    const VelaMap &in = maps.in, &out = maps.out;
    return in.memory.readLatency + out.memory.writeLatency +
           transferCycles(in, readRun(in, block), smaller(layer.input, block.input).elements()) +
           transferCycles(out, writeRun(out, block, accelerator.cores),
                          smaller(layer.output, block.output).elements());
}

/// Cycles of a sum, which has no products; its blocks are counted completely.
VelaBlockCycles sumCycles(const VelaLayer& layer, const VelaBlock& block,
                          const VelaAccelerator& accelerator, double memory) {
    VelaBlockCycles cycles;
    cycles.outputs = accelerator.sumCycles * real(block.output.elements());
    cycles.command = (memory + cycles.outputs) / kBlocksInFlight;
    cycles.count = real(stored(layer.output, layer.writesResult)) / real(block.output.elements());
    return cycles;
}

}  // namespace

VelaMaps velaMapsOf(const VelaLayer& layer, const VelaAccelerator& accelerator) {
    const auto map = [&](bool isBorder) {
        const bool isOutside = isBorder && !accelerator.holdsMapsInSram;
        return VelaMap{isOutside ? accelerator.external : accelerator.sram, isBorder, isOutside};
    };
    return {map(layer.readsImage), map(layer.writesResult)};
}

VelaMaps velaPlannedMaps(const VelaLayer& layer, const VelaAccelerator& accelerator) {
    VelaMaps maps = velaMapsOf(layer, accelerator);
    if (!accelerator.holdsMapsInSram) {
        maps.in.memory = maps.out.memory = accelerator.external;
        maps.in.isOutside = maps.out.isOutside = true;
    }
    return maps;
}

double VelaBlockCycles::layer() const {
    const double writes = std::max({outputs, biases, command});
    if (products == 0.0) {
        return writes * count;
    }
    const double computes = std::max(products, command);
    return std::max(computes, writes) * count + std::min(computes, writes);
}

VelaBlockCycles velaBlockCycles(const VelaLayer& layer, const VelaBlock& block,
                                const VelaAccelerator& accelerator, const VelaMaps& maps) {
    const double memory = memoryCycles(layer, block, accelerator, maps);
    if (layer.kind == VelaKind::kSum) {
        return sumCycles(layer, block, accelerator, memory);
    }
    const VelaExtent unit = smaller(layer.output, block.output);
    const VelaMemory& biasMemory =
            layer.kind == VelaKind::kFullyConnected ? accelerator.external : accelerator.sram;
    VelaBlockCycles cycles;
    cycles.products = productCyclesOf(layer, block, accelerator);
    cycles.outputs = std::ceil(accelerator.outputCycles * real(unit.elements()));
    cycles.biases = layer.hasWeights() ? kVelaBiasBytes * real(unit.channels) *
                                                 biasMemory.readLatency / kBiasBytesPerLatency
                                       : 0.0;
    cycles.command =
            (memory + std::max(cycles.outputs, cycles.biases) + cycles.products) / kBlocksInFlight;
    cycles.count = real(divideUp(layer.output.rows, unit.rows) *
                        divideUp(layer.output.columns, unit.columns) *
                        divideUp(layer.output.channels, unit.channels));
    return cycles;
}

double velaReadCycles(const VelaLayer& layer, const VelaBlock& block, const VelaMap& in) {
    return transferCycles(in, readRun(in, block), elementsRead(layer, block, in.isInRows));
}

double velaWriteCycles(const VelaLayer& layer, const VelaBlock& block, const VelaMap& out,
                       std::uint64_t cores) {
    return transferCycles(out, writeRun(out, block, cores), stored(layer.output, out.isInRows));
}

}  // namespace vnpu::sim
