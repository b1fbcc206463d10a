// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "sim/config/strict_toml.h"
#include "sim/scenario/scenario.h"

namespace vnpu::sim {

/// Reads the keys of a client about the times of its frames, count included. Paths of trace files
/// are relative to `folder`. Throws InputError.
void readArrival(StrictTable& table, ClientSpec& client, const std::filesystem::path& folder);

}  // namespace vnpu::sim
