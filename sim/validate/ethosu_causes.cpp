// SPDX-License-Identifier: Apache-2.0
// source of all constants: Vela, ethosu/vela/npu_performance.py
#include "sim/validate/ethosu_causes.h"

#include <algorithm>

namespace vnpu::sim {

namespace {

// cycles_bias_blk: 10 bytes for a channel, one latency for 256 bytes
constexpr double kBiasBytes = 10.0;
constexpr double kBiasBytesPerLatency = 256.0;
constexpr std::uint64_t kMicroKernels = 8;    // ofm_ublock.depth
constexpr std::uint64_t kStepCycles = 4;      // 4 * num_ublk_xy
constexpr std::uint64_t kChannelsAlone = 32;  // ifm block depth, depth first
constexpr std::uint64_t kChannelsOfTaps = 8;  // part kernel first
constexpr std::uint64_t kTapsTogether = 4;

std::uint64_t folds(std::uint64_t extent, std::uint64_t side) {
    return (extent + side - 1) / side;
}

}  // namespace

double velaArrayCycles(const LayerParameters& layer, const VelaRules& rules) {
    const std::uint64_t blocks = folds(layer.rows, rules.microRows) *
                                 folds(layer.columns, rules.microColumns) *
                                 folds(layer.kernels, kMicroKernels);
    const std::uint64_t fourTaps = folds(layer.taps(), kTapsTogether);
    const std::uint64_t steps =
            layer.isDepthwise ? fourTaps
                              : std::min(layer.taps() * folds(layer.channels, kChannelsAlone),
                                         fourTaps * folds(layer.channels, kChannelsOfTaps));
    return static_cast<double>(kStepCycles * blocks * steps) / static_cast<double>(rules.cores);
}

double cyclesByVelaRules(const Measurement& run, const std::vector<LayerParameters>& layers,
                         const VelaRules& rules) {
    double ours = 0.0, theirs = 0.0;
    for (std::size_t i = 0; i < run.operations.size() && i < layers.size(); ++i) {
        const OperationWork& work = run.operations[i];
        const auto engine = static_cast<double>(std::max(work.macCycles, work.vectorCycles));
        const auto bytes = static_cast<double>(work.bytes);
        const auto weights = static_cast<double>(layers[i].weightBytes());
        const double coded = bytes - (1.0 - rules.codedShare) * std::min(weights, bytes);
        const double biases = kBiasBytes * static_cast<double>(layers[i].kernels) *
                              rules.latencyCycles / kBiasBytesPerLatency;
        const bool hasArray = rules.microRows != 0 && layers[i].kernels != 0;
        const double array = hasArray ? velaArrayCycles(layers[i], rules) : engine;
        ours += std::max(engine, bytes / rules.bytesPerCycle);
        theirs += std::max({array, coded / rules.bytesPerCycle, biases});
    }
    return ours == 0.0 ? 0.0 : static_cast<double>(run.cycles) * theirs / ours;
}

}  // namespace vnpu::sim
