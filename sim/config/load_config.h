// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// Loads a shipped configuration by name ("edge") or a TOML file by path. Unknown keys, wrong types
/// and numbers out of range throw InputError with file, line and what was expected.
hw::NpuConfig loadConfig(const std::string& nameOrPath);

/// As loadConfig, from TOML text; `file` is the name in messages. Every key must be present, unless
/// `base` names a shipped configuration that provides the missing ones. [energy] may be left out,
/// and so may dram's refresh, rows and background.
hw::NpuConfig parseConfig(std::string_view text, const std::string& file);

/// Names of the shipped configurations, alphabetical.
std::vector<std::string> configNames();

}  // namespace vnpu::sim
