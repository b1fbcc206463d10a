// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "hw_model/timing/npu_config.h"
#include "sim/models/network.h"

namespace vnpu::sim {

/// The least time of a network on a device, in cycles. No plan of any compiler is faster, because
/// each figure counts only what every plan has to do.
struct Roofline {
    /// The array streams the output of every layer through all of the layer's folds. Fill and skew
    /// do not count, but a fold with fewer rows than the array waits for its weights.
    double array = 0.0;
    /// Memory moves constants, inputs and outputs once. Constants that are needed again and again,
    /// as the weights of a recurrent layer at each step, are moved again as far as the SRAM is too
    /// small for all of them.
    double memory = 0.0;
    /// Some layer has left the array, and memory then moves the constants of all layers behind it,
    /// apart from as many bytes as the SRAM holds.
    double arrayThenMemory = 0.0;

    double cycles() const { return std::max({array, memory, arrayThenMemory}); }
    /// What takes them: "the array", "memory" or "the array, then memory".
    const char* limit() const {
        return arrayThenMemory > std::max(array, memory) ? "the array, then memory"
               : array > memory                          ? "the array"
                                                         : "memory";
    }
};

/// For a network of static shapes without control flow on a weight-stationary array that loads the
/// next weights while the present ones work.
Roofline rooflineOf(const Network& network, const hw::NpuConfig& device);

}  // namespace vnpu::sim
