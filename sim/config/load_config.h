// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// A shipped configuration by name ("edge"), or a TOML file by path. Unknown keys, wrong types and numbers out of range
/// throw InputError with file, line and what was expected.
hw::NpuConfig loadConfig(const std::string& nameOrPath);

/// Names of the shipped configurations, alphabetical.
std::vector<std::string> configNames();

}  // namespace vnpu::sim
