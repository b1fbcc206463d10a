// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// Whether runs need the real weights of their networks: for results, or for the times of a device
/// that decodes weights.
inline bool needsWeights(const hw::NpuConfig& config) {
    return !config.timingOnly || config.decoder.bytesPerCycle != 0;
}

}  // namespace vnpu::sim
