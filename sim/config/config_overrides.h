// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "hw_model/timing/npu_config.h"
#include "sim/config/strict_toml.h"

namespace vnpu::sim {

/// Numbers of a scenario that replace those of its configuration with the same names: all of
/// [power]; `background` of [dram], the load from outside the device; `kib` and `resident_kib` of
/// [sram].
struct ConfigOverrides {
    struct Entry {
        std::string table;
        std::string key;
        std::variant<std::uint32_t, double> value;
        std::string place;  // "file:line"
    };
    std::vector<Entry> entries;
};

/// Adds the table [`name`], which is read strictly; throws InputError.
void readConfigOverrides(const toml::table& table, const std::string& name, const std::string& file,
                         ConfigOverrides& overrides);

/// The configuration with the overrides; throws InputError for numbers that are out of range or
/// contradict each other.
hw::NpuConfig withOverrides(hw::NpuConfig config, const ConfigOverrides& overrides);

}  // namespace vnpu::sim
