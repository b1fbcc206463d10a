// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "sim/validate/ethosu/vela_cycles.h"

namespace vnpu::sim {

/// The parts of a layer's time.
enum class VelaLimit : std::uint8_t {
    kProducts,
    kOutputs,
    kBiases,
    kLatencies,
    kWeights,
    kMapsOutside,
    kMapsInSram
};
std::string_view velaLimitName(VelaLimit limit);

/// A layer takes the longest of its blocks with the wait for weights, SRAM, and memory outside.
struct VelaCycles {
    VelaBlockCycles block{};
    double blocks = 0.0;        // all of them
    double weightWait = 0.0;    // for staged weights, beyond the time of the previous layer
    double maps = 0.0;          // transfers of feature maps in SRAM
    double mapsOutside = 0.0;   // of the network's input or result
    double plainWeights = 0.0;  // of weights that are not staged

    double total() const;
    VelaLimit limit() const;
};

/// The estimate by layer. `codedShare` is the share of the bytes of the weights that Vela's code
/// leaves. Not computed: stripes over several layers, which keep maps larger than SRAM there, and
/// their smaller blocks.
std::vector<VelaCycles> velaCyclesOf(const std::vector<VelaLayer>& layers,
                                     const VelaAccelerator& accelerator, double codedShare);

double velaTotal(const std::vector<VelaCycles>& cycles);

}  // namespace vnpu::sim
