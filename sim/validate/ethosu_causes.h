// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/models/network.h"
#include "sim/validate/measurement.h"

namespace vnpu::sim {

/// Of an operation: bytes of its filter, and channels that it adds a bias to; 0 where it has none.
struct LayerParameters {
    std::uint64_t weightBytes = 0;
    std::uint64_t biasedChannels = 0;
};

/// By operation of the network's main graph.
std::vector<LayerParameters> layerParametersOf(const Network& network);

/// What Vela's estimates count and our devices have not.
struct VelaRules {
    double codedShare = 1.0;     // of the weights' bytes that its lossless code leaves
    double bytesPerCycle = 1.0;  // of the memory that holds weights and biases
    double latencyCycles = 0.0;  // of a read there
};

/// What the run would take with coded weights and Vela's time for biases: its cycles, times how
/// much longer (or shorter) its operations are by these rules, each the longest of what it
/// computes, what it moves and its biases.
double cyclesByVelaRules(const Measurement& run, const std::vector<LayerParameters>& layers,
                         const VelaRules& rules);

}  // namespace vnpu::sim
