// SPDX-License-Identifier: Apache-2.0
// source of all rules and constants: Vela, npu_performance.py, and scheduler.py for weights
#include "sim/validate/ethosu/vela_estimate.h"

#include <algorithm>
#include <cmath>

#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

constexpr double kPlainBiasBytes = 4.0;  // of a fully connected layer, in addition to its code
constexpr double kCodeBytes = 16.0;      // staged weights come in multiples

/// From memory outside to SRAM.
double stagingCycles(double bytes, const VelaAccelerator& accelerator) {
    const VelaMemory& from = accelerator.external;
    return std::max(std::floor(bytes / from.bytesPerCycle) + from.readLatency,
                    std::floor(bytes / accelerator.sram.bytesPerCycle));
}

double codedBytes(const VelaLayer& layer, double codedShare) {
    const double bytes = std::floor(real(layer.weightBytes()) * codedShare) +
                         kVelaBiasBytes * real(layer.output.channels);
    return layer.kind == VelaKind::kFullyConnected ? bytes
                                                   : std::ceil(bytes / kCodeBytes) * kCodeBytes;
}

/// The transfers of a layer's weights to SRAM while the previous layer runs, and then, slice by
/// slice of output channels, while the layer itself runs.
struct Staging {
    double all = 0.0, first = 0.0;  // cycles, of the first slice
    double hides = 0.0;             // cycles of this layer's last slice: the next one's weights
    bool isSliced = false;
};

/// Cycles of a layer's first `channels` output channels while the schedule is made.
double plannedCycles(VelaLayer layer, const VelaBlock& block, const VelaAccelerator& accelerator,
                     std::uint64_t channels) {
    layer.output.channels = channels;
    return std::floor(
            velaBlockCycles(layer, block, accelerator, velaPlannedMaps(layer, accelerator))
                    .layer());
}

std::uint64_t roundDown(double value, std::uint64_t unit) {
    return static_cast<std::uint64_t>(value) / unit * unit;
}

/// Channels of the first slice: as many as the previous layer can hide and half of SRAM can hold.
/// Further slices have as many as arrive while the first is computed.
struct Slices {
    std::uint64_t first, next;
};

Slices slicesOf(const VelaLayer& layer, const VelaBlock& block, const VelaAccelerator& accelerator,
                double bytes, double share, double allCycles) {
    const double channels = real(layer.output.channels);
    const std::uint64_t first =
            std::max(kVelaSplitChannels, roundDown(channels * share, kVelaSplitChannels));
    const std::uint64_t side = block.output.channels;
    double next = real(side *
                       divideUp(static_cast<std::uint64_t>(std::ceil(
                                        channels * plannedCycles(layer, block, accelerator, first) /
                                        allCycles)),
                                side));
    const double half = real(accelerator.sramBytes) / 2.0;
    if (accelerator.sramBytes != 0 && next / channels * bytes > half) {
        next = half / bytes * channels;
    }
    return {first, std::max(kVelaSplitChannels,
                            roundDown(next, next > real(side) ? side : kVelaSplitChannels))};
}

Staging stagingOf(const VelaLayer& layer, const VelaBlock& block,
                  const VelaAccelerator& accelerator, double bytes, double hidden) {
    Staging staging;
    staging.all = stagingCycles(bytes, accelerator);
    double ahead = bytes * std::min(1.0, hidden / staging.all);
    if (accelerator.sramBytes != 0) {
        ahead = std::min(ahead, real(accelerator.sramBytes) / 2.0);
    }
    const std::uint64_t channels = layer.output.channels;
    Slices slices = {channels, channels};
    if (ahead < bytes) {
        slices = slicesOf(layer, block, accelerator, bytes, ahead / bytes, staging.all);
    }
    staging.isSliced = slices.first < channels;
    const std::uint64_t rest = staging.isSliced ? channels - slices.first : channels;
    const std::uint64_t last =
            rest % slices.next == 0 ? std::min(rest, slices.next) : rest % slices.next;
    staging.hides = plannedCycles(layer, block, accelerator, last);
    const double first = std::min(1.0, real(slices.first) / real(channels)) * bytes;
    staging.first = stagingCycles(std::ceil(first / kCodeBytes) * kCodeBytes, accelerator);
    return staging;
}

/// Cycles in addition to those of the layer itself.
double waitCycles(const Staging& staging, double own, double hidden) {
    if (staging.isSliced) {
        return std::max(staging.all - hidden + staging.hides,
                        own + std::max(staging.first - hidden, 0.0)) -
               own;
    }
    return staging.all - std::min(staging.first, hidden);
}

VelaCycles layerCycles(const VelaLayer& layer, const VelaBlock& block,
                       const VelaAccelerator& accelerator) {
    const VelaMaps maps = velaMapsOf(layer, accelerator);
    VelaCycles cycles;
    cycles.block = velaBlockCycles(layer, block, accelerator, maps);
    cycles.blocks = std::floor(cycles.block.layer());
    (maps.in.isOutside ? cycles.mapsOutside : cycles.maps) += velaReadCycles(layer, block, maps.in);
    (maps.out.isOutside ? cycles.mapsOutside : cycles.maps) +=
            velaWriteCycles(layer, block, maps.out, accelerator.cores);
    return cycles;
}

}  // namespace

double VelaCycles::total() const {
    return std::max({blocks + weightWait, maps, mapsOutside + plainWeights});
}

VelaLimit VelaCycles::limit() const {
    if (mapsOutside + plainWeights >= std::max(blocks + weightWait, maps)) {
        return mapsOutside > plainWeights ? VelaLimit::kMapsOutside : VelaLimit::kWeights;
    }
    if (maps >= blocks + weightWait) {
        return VelaLimit::kMapsInSram;
    }
    if (weightWait > blocks) {
        return VelaLimit::kWeights;
    }
    const double most = std::max({block.products, block.outputs, block.biases, block.command});
    return most == block.products  ? VelaLimit::kProducts
           : most == block.outputs ? VelaLimit::kOutputs
           : most == block.biases  ? VelaLimit::kBiases
                                   : VelaLimit::kLatencies;
}

std::string_view velaLimitName(VelaLimit limit) {
    constexpr std::string_view kNames[] = {
            "products", "output stage",          "biases",      "latencies of blocks",
            "weights",  "image in short bursts", "maps in SRAM"};
    return kNames[static_cast<std::size_t>(limit)];
}

std::vector<VelaCycles> velaCyclesOf(const std::vector<VelaLayer>& layers,
                                     const VelaAccelerator& accelerator, double codedShare) {
    std::vector<VelaCycles> all;
    double hidden = 0.0;  // cycles of the layer before, under which weights may come
    for (const VelaLayer& layer : layers) {
        const VelaBlock block = velaBlockOf(layer, accelerator);
        VelaCycles cycles = layerCycles(layer, block, accelerator);
        double hides = plannedCycles(layer, block, accelerator, layer.output.channels);
        const double bytes = codedBytes(layer, codedShare);
        if (layer.kind == VelaKind::kFullyConnected) {  // read while they are used
            cycles.plainWeights = (bytes + kPlainBiasBytes * real(layer.output.channels)) /
                                  accelerator.external.bytesPerCycle;
        } else if (layer.hasWeights()) {
            const Staging staging = stagingOf(layer, block, accelerator, bytes, hidden);
            cycles.weightWait = waitCycles(staging, cycles.blocks, hidden);
            hides = staging.hides;
        }
        hidden = hides;
        all.push_back(cycles);
    }
    return all;
}

double velaTotal(const std::vector<VelaCycles>& cycles) {
    double total = 0.0;
    for (const VelaCycles& layer : cycles) {
        total += layer.total();
    }
    return total;
}

}  // namespace vnpu::sim
