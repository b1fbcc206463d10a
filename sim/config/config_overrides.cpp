// SPDX-License-Identifier: Apache-2.0
#include "sim/config/config_overrides.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "hw_model/timing/config_fields.h"
#include "sim/base/error.h"

namespace vnpu::sim {

namespace {

bool isOverridable(const hw::ConfigField& field) {
    const std::string_view table = field.table;
    const std::string_view key = field.key;
    return table == "power" || (table == "dram" && key == "background") ||
           (table == "sram" && (key == "kib" || key == "resident_kib"));
}

/// Calls `visit(table, key, value)` for every number that may be overridden.
template <typename Visitor>
void visitOverridable(hw::NpuConfig& config, Visitor&& visit) {
    visitConfigFields(config, [&](const hw::ConfigField& field, auto& value) {
        using Value = std::remove_reference_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::uint32_t> || std::is_same_v<Value, double>) {
            if (isOverridable(field)) {
                visit(std::string_view(field.table), std::string_view(field.key), value);
            }
        }
    });
}

}  // namespace

void readConfigOverrides(const toml::table& source, const std::string& name,
                         const std::string& file, ConfigOverrides& overrides) {
    StrictTable table(source, file, name + ".");
    hw::NpuConfig config;
    visitOverridable(config, [&](std::string_view part, std::string_view key, auto&) {
        if (part == name) {
            table.know(key);
        }
    });
    visitOverridable(config, [&](std::string_view part, std::string_view key, auto& value) {
        if (part == name && table.read(key, value)) {
            overrides.entries.push_back({name, std::string(key), value, table.place(key)});
        }
    });
    table.finish();
}

hw::NpuConfig withOverrides(hw::NpuConfig config, const ConfigOverrides& overrides) {
    for (const ConfigOverrides::Entry& entry : overrides.entries) {
        visitOverridable(config, [&](std::string_view table, std::string_view key, auto& value) {
            if (table == entry.table && key == entry.key) {
                value = std::get<std::remove_reference_t<decltype(value)>>(entry.value);
            }
        });
    }
    const std::string error = hw::findConfigError(config);
    if (!error.empty()) {
        const bool isEmpty = overrides.entries.empty();
        const ConfigOverrides::Entry first =
                isEmpty ? ConfigOverrides::Entry{} : overrides.entries.front();
        throw InputError(isEmpty ? fmt::format("{}: {}", config.name, error)
                                 : fmt::format("{}: [{}] on {}: {}", first.place, first.table,
                                               config.name, error));
    }
    return config;
}

}  // namespace vnpu::sim
