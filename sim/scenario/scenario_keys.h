// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "sim/config/strict_toml.h"

namespace vnpu::sim {

/// Keys that several tables of scenario and sweep files have. All functions throw InputError.

/// A required "name" of letters, digits, _ and -.
void readName(StrictTable& table, std::string& name);

/// A path that is written in a file of this folder.
std::string resolvePath(const std::string& written, const std::filesystem::path& folder);

}  // namespace vnpu::sim
