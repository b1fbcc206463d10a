// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hw_model/timing/npu_config.h"
#include "sim/validate/layer_parameters.h"
#include "sim/validate/measurement.h"
#include "sim/validate/nvdla/nvdla_sheet.h"

namespace vnpu::sim {

/// Cycles of the array for one frame of a layer, by the closed form of a broadcast array. Unlike
/// the sheet, it includes the granularity of the array: `mac.rows` channels by `mac.columns`
/// kernels, and Winograd's tiles of 2 x 2.
double nvdlaArrayCycles(const LayerParameters& layer, const hw::MacConfig& mac);

/// Bytes that a frame of a layer moves if everything moves once: input, plain filters, output, and
/// the operand of a sum. The sheet counts more bytes by its rules, but only a sixteenth of the
/// filters of a fully connected layer.
double nvdlaPlainBytes(const NvdlaLayer& layer);

/// A run compared with the sheet's rule: the operations run one after the other, and each takes the
/// longer of its computation and its transfers, which include its commands.
struct NvdlaCauses {
    double ruleCycles = 0.0;   // by that rule, from the cycles and bytes measured
    double arrayRatio = 0.0;   // of array cycles measured to those of the closed form
    double fillCycles = 0.0;   // of ruleCycles: first loads and last results of operations
    bool isExplained = false;  // both hold
    std::string note{};        // the numbers
};

/// Whether the computation and the transfers alone account for the time of a run: the rule gives
/// the measured cycles within kRuleTolerance, and the array's cycles are those of its closed form
/// within kArrayTolerance. `layers` are those of the network that ran, `network` is the sheet's; a
/// run has `batch` frames.
inline constexpr double kRuleTolerance = 0.10;   // source: the ladder's demand on the device
inline constexpr double kArrayTolerance = 0.05;  // chosen: half of it
NvdlaCauses explainNvdla(const NvdlaNetwork& network, const std::vector<LayerParameters>& layers,
                         const NvdlaPoint& point, const hw::MacConfig& mac, const Measurement& run,
                         double batch);

}  // namespace vnpu::sim
