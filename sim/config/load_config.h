// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// A shipped configuration by name ("edge"), or a TOML file by path. Unknown keys, wrong types and
/// numbers out of range throw InputError with file, line and what was expected.
hw::NpuConfig loadConfig(const std::string& nameOrPath);

/// As loadConfig, from TOML text; `file` stands in messages. Every key must be there, unless `base`
/// names a shipped configuration from which the missing ones are taken; [energy] may be left out,
/// and so may dram's refresh, rows and background.
hw::NpuConfig parseConfig(std::string_view text, const std::string& file);

/// Names of the shipped configurations, alphabetical.
std::vector<std::string> configNames();

}  // namespace vnpu::sim
