// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// A configuration with the tables and keys of its TOML file, and its derived peaks under "peaks".
nlohmann::ordered_json configJson(const hw::NpuConfig& config);

}  // namespace vnpu::sim
