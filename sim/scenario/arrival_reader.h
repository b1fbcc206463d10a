// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "sim/config/strict_toml.h"
#include "sim/scenario/scenario.h"

namespace vnpu::sim {

/// Reads a client's keys about the times of its frames, count included; trace files lie relative to
/// `folder`. Throws InputError.
void readArrival(StrictTable& table, ClientSpec& client, const std::filesystem::path& folder);

}  // namespace vnpu::sim
