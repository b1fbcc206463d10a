// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// A complete configuration file (TOML) that parseConfig() reads as the same configuration.
std::string configText(const hw::NpuConfig& config);

}  // namespace vnpu::sim
