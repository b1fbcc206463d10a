// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/validate/layer_parameters.h"
#include "sim/validate/measurement.h"

namespace vnpu::sim {

/// What Vela's estimates count and our devices have not.
struct VelaRules {
    double codedShare = 1.0;     // of the weights' bytes that its lossless code leaves
    double bytesPerCycle = 1.0;  // of the memory that holds weights and biases
    double latencyCycles = 0.0;  // of a read there
    /// Pixels of a micro-block, which has eight kernels, and cores that share the work; 0 rows: the
    /// array is taken as ours.
    std::uint64_t microRows = 0, microColumns = 1, cores = 1;
};

/// Cycles of Vela's dot product unit for a layer: four for a micro-block with 32 channels of one
/// tap, or 8 channels of four taps, whichever is less; of depthwise layers four taps.
double velaArrayCycles(const LayerParameters& layer, const VelaRules& rules);

/// What the run would take with coded weights, Vela's array and its time for biases: its cycles,
/// times how much longer (or shorter) its operations are by these rules, each the longest of what
/// it computes, what it moves and its biases.
double cyclesByVelaRules(const Measurement& run, const std::vector<LayerParameters>& layers,
                         const VelaRules& rules);

}  // namespace vnpu::sim
