// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hw_model/timing/npu_config.h"
#include "sim/validate/ethosu/vela_estimate.h"
#include "sim/validate/layer_parameters.h"
#include "sim/validate/measurement.h"

namespace vnpu::sim {

/// A network as our device and as Vela see it.
struct EthosUNetwork {
    std::vector<LayerParameters> layers;  // by operation
    std::vector<VelaLayer> velaLayers;
    std::uint64_t borderBytes = 0;  // its input and output
};

/// Cycles of the array for a layer that is not tiled: the closed form of its matrix product.
double ethosUArrayCycles(const LayerParameters& layer, const hw::MacConfig& mac);

/// A run beside Vela's estimate of the same network. An operation takes the longer of what it
/// computes and what it moves, and the shorter of one tile, if nothing overlaps the operations
/// around it; if everything does, the network takes the longer of all it computes and all it moves.
struct EthosUCauses {
    double serialRatio = 0.0;      // of the former sum to the run's cycles
    double overlappedRatio = 0.0;  // of the latter
    double arrayRatio = 0.0;       // of array cycles measured to those of the closed form
    double bytesRatio = 0.0;       // of bytes measured to each operand outside SRAM once
    double byVelaRules = 0.0;      // the run's cycles with Vela's in place of our serial sum
    /// The run lies between both sums, and array and bytes are those of the closed form, so that
    /// time is lost and won nowhere else.
    bool isAccounted = false;
    std::string costs{};  // which differ most: "biases +12 %, our transfers -30 %" of the cycles
};

inline constexpr double kPartsTolerance = 0.15;  // chosen: half of the ladder's demand
inline constexpr double kArrayExcess = 0.10;     // chosen: what tiles add
inline constexpr double kBytesExcess = 0.30;     // chosen: what small SRAM spills

EthosUCauses explainEthosU(const EthosUNetwork& network, const std::vector<VelaCycles>& vela,
                           const hw::NpuConfig& device, const Measurement& run);

}  // namespace vnpu::sim
