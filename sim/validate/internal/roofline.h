// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "hw_model/timing/npu_config.h"
#include "sim/models/network.h"

namespace vnpu::sim {

/// The least time of a network on a device, in cycles. No plan of any compiler that keeps each
/// layer's product a product of its own is faster, because each figure counts only what every plan
/// has to do.
struct Roofline {
    /// Memory answers the first read.
    double latency = 0.0;
    /// The array streams the output of every layer through all of the layer's folds, and fills and
    /// drains once a layer. A fold with fewer rows than the array waits for its weights.
    double array = 0.0;
    /// The part of `array` without fill and drain.
    double stream = 0.0;
    /// Memory moves constants, inputs and outputs once. Constants that are needed again and again,
    /// as the weights of a recurrent layer at each step, are moved again as far as the SRAM is too
    /// small for all of them.
    double memory = 0.0;
    /// Some layer has left the array, and memory then moves the constants of all layers behind it,
    /// apart from as many bytes as the SRAM holds.
    double arrayThenMemory = 0.0;
    /// Memory has moved all constants up to those of some layer, and the array then fills and
    /// drains once for it and for each layer of the longest chain behind it.
    double memoryThenArray = 0.0;

    double cycles() const { return latency + longest(); }
    /// What takes them: "the array", "memory", "the array, then memory" or "memory, then the
    /// array".
    const char* limit() const;

  private:
    double longest() const { return std::max({array, memory, arrayThenMemory, memoryThenArray}); }
};

/// For a network of static shapes without control flow on a weight-stationary array that loads the
/// next weights while the present ones work.
Roofline rooflineOf(const Network& network, const hw::NpuConfig& device);

}  // namespace vnpu::sim
