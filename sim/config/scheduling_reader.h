// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/config/scheduling.h"
#include "sim/config/strict_toml.h"

namespace vnpu::sim {

/// Reads the [scheduling] table strictly; throws InputError.
SchedulingOptions readScheduling(const toml::table& table, const std::string& file);

}  // namespace vnpu::sim
