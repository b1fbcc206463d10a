// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/ethosu_causes.h"

#include <algorithm>

namespace vnpu::sim {

namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

// source: Vela, npu_performance.py, cycles_bias_blk: 10 bytes for a channel, one latency for 256
constexpr double kBiasBytes = 10.0;
constexpr double kBiasBytesPerLatency = 256.0;

bool hasFilter(OperationType type) {
    return type == OperationType::CONV_2D || type == OperationType::DEPTHWISE_CONV_2D ||
           type == OperationType::FULLY_CONNECTED;
}

}  // namespace

std::vector<LayerParameters> layerParametersOf(const Network& network) {
    const auto& graph = network.model.main;
    std::vector<LayerParameters> layers(graph.operations.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const auto& operation = graph.operations[i];
        if (!hasFilter(operation.type)) {
            continue;
        }
        layers[i].weightBytes = 1;  // of 8-bit networks: as many as elements
        for (const std::uint32_t extent : graph.operands[operation.inputs[1]].dimensions) {
            layers[i].weightBytes *= extent;
        }
        layers[i].biasedChannels = graph.operands[operation.inputs[2]].dimensions[0];
    }
    return layers;
}

double cyclesByVelaRules(const Measurement& run, const std::vector<LayerParameters>& layers,
                         const VelaRules& rules) {
    double ours = 0.0, theirs = 0.0;
    for (std::size_t i = 0; i < run.operations.size() && i < layers.size(); ++i) {
        const OperationWork& work = run.operations[i];
        const auto engine = static_cast<double>(std::max(work.macCycles, work.vectorCycles));
        const auto bytes = static_cast<double>(work.bytes);
        const auto weights = static_cast<double>(layers[i].weightBytes);
        const double coded = bytes - (1.0 - rules.codedShare) * std::min(weights, bytes);
        const double biases = kBiasBytes * static_cast<double>(layers[i].biasedChannels) *
                              rules.latencyCycles / kBiasBytesPerLatency;
        ours += std::max(engine, bytes / rules.bytesPerCycle);
        theirs += std::max({engine, coded / rules.bytesPerCycle, biases});
    }
    return ours == 0.0 ? 0.0 : static_cast<double>(run.cycles) * theirs / ours;
}

}  // namespace vnpu::sim
