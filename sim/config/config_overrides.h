// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "hw_model/timing/npu_config.h"
#include "sim/config/strict_toml.h"

namespace vnpu::sim {

/// What a scenario puts in the place of its configuration's numbers of the same names: all of
/// [power], and of [dram] what is outside of the device, `background`.
struct ConfigOverrides {
    struct Entry {
        std::string table;
        std::string key;
        std::variant<std::uint32_t, double> value;
        std::string place;  // "file:line"
    };
    std::vector<Entry> entries;
};

/// Adds the table [`name`], read strictly; throws InputError.
void readConfigOverrides(const toml::table& table, const std::string& name, const std::string& file,
                         ConfigOverrides& overrides);

/// The configuration with them; throws InputError for numbers that are out of range or do not go
/// together.
hw::NpuConfig withOverrides(hw::NpuConfig config, const ConfigOverrides& overrides);

}  // namespace vnpu::sim
