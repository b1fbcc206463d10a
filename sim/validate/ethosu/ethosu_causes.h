// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hw_model/timing/npu_config.h"
#include "sim/validate/ethosu/vela_estimate.h"
#include "sim/validate/layer_parameters.h"
#include "sim/validate/measurement.h"

namespace vnpu::sim {

/// A network as our device and Vela see it.
struct EthosUNetwork {
    std::vector<LayerParameters> layers;  // by operation
    std::vector<VelaLayer> velaLayers;
    std::uint64_t borderBytes = 0;  // its input and output
    double codedShare = 1.0;        // of the bytes of the weights in memory
};

/// Cycles of the array for an untiled layer: the closed form of its matrix product.
double ethosUArrayCycles(const LayerParameters& layer, const hw::MacConfig& mac);

/// A run compared with Vela's estimate of the same network. If operations do not overlap, an
/// operation takes the longer of its computation and its transfers, plus the shorter of the two for
/// one tile. If everything overlaps, the network takes the longer of all computation and all
/// transfers.
struct EthosUCauses {
    double serialRatio = 0.0;      // of the former sum to the run's cycles
    double overlappedRatio = 0.0;  // of the latter
    double arrayRatio = 0.0;       // of array cycles measured to those of the closed form
    double bytesRatio = 0.0;       // of bytes measured to each operand outside SRAM once
    double byVelaRules = 0.0;      // the run's cycles with Vela's in place of our serial sum
    /// The run lies between both sums, and array and bytes are those of the closed form, so that
    /// there are no other gains or losses of time.
    bool isAccounted = false;
    /// The largest differences: "biases +12 %, our transfers -30 %" of the cycles.
    std::string costs{};
};

inline constexpr double kPartsTolerance = 0.15;  // chosen: half of the ladder's demand
inline constexpr double kArrayExcess = 0.10;     // chosen: what tiles add
inline constexpr double kBytesExcess = 0.30;     // chosen: what small SRAM spills

EthosUCauses explainEthosU(const EthosUNetwork& network, const std::vector<VelaCycles>& vela,
                           const hw::NpuConfig& device, const Measurement& run);

}  // namespace vnpu::sim
