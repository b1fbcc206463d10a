// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/models/network.h"
#include "sim/validate/device_time.h"
#include "sim/validate/ethosu/vela_estimate.h"
#include "sim/validate/layer_parameters.h"

namespace vnpu::sim {

/// Our array of an accelerator's products a cycle: 16 rows of reduced channels, and as many columns
/// as that leaves; the next stationary tile is loaded while the present one streams. Depthwise
/// layers run at about Vela's rate: a whole number of channels, one result of each a cycle.
struct EthosUArray {
    double rows = 0.0, columns = 0.0, depthwiseColumns = 0.0;
};
EthosUArray ethosUArrayOf(const VelaAccelerator& accelerator);

/// Cycles until the first tile of filters is loaded and the last result has left with its skew.
double ethosUFillCycles(const LayerParameters& layer, const EthosUArray& array);
/// Cycles of that array for an untiled layer.
double ethosUArrayCycles(const LayerParameters& layer, const EthosUArray& array);

/// The work of a network on our array, with Vela's output stage. `codedShare`: bytes of the coded
/// weights to those of the weights.
WorkFigures ethosUWorkFigures(const Network& network, const VelaAccelerator& accelerator,
                              double codedShare);

/// The time that was published, and that of Vela's rules by parts.
ReferenceTime ethosUReferenceTime(const std::vector<VelaCycles>& vela, double published);

}  // namespace vnpu::sim
