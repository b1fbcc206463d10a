// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw_model/timing/npu_config.h"
#include "sim/config/strict_toml.h"

namespace vnpu::sim {

/// The [power] table of a scenario: numbers that take the place of the configuration's of the same
/// names.
struct PowerOverrides {
    struct Entry {
        std::string key;
        std::uint32_t value = 0;
        std::string place;  // "file:line"
    };
    std::vector<Entry> entries;
};

/// Reads the table strictly; throws InputError.
PowerOverrides readPowerOverrides(const toml::table& table, const std::string& file);

/// The configuration with them; throws InputError for numbers that are out of range or do not go
/// together.
hw::NpuConfig withPower(hw::NpuConfig config, const PowerOverrides& overrides);

}  // namespace vnpu::sim
