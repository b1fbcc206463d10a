// SPDX-License-Identifier: Apache-2.0
#include "sim/config/power_overrides.h"

#include <fmt/format.h>

#include <string_view>
#include <type_traits>

#include "sim/config/config_fields.h"
#include "sim/error.h"

namespace vnpu::sim {

namespace {

/// Calls `visit(key, value)` for the numbers of [power].
template <typename Visitor>
void visitPower(hw::NpuConfig& config, Visitor&& visit) {
    visitConfigFields(config, [&](std::string_view table, std::string_view key, auto& value,
                                  std::string_view /*unit*/) {
        if constexpr (std::is_same_v<decltype(value), std::uint32_t&>) {
            if (table == "power") {
                visit(key, value);
            }
        }
    });
}

}  // namespace

PowerOverrides readPowerOverrides(const toml::table& source, const std::string& file) {
    StrictTable table(source, file, "power.");
    hw::NpuConfig config;
    visitPower(config, [&](std::string_view key, std::uint32_t&) { table.know(key); });
    PowerOverrides overrides;
    visitPower(config, [&](std::string_view key, std::uint32_t& value) {
        if (table.read(key, value)) {
            overrides.entries.push_back({std::string(key), value, table.place(key)});
        }
    });
    table.finish();
    return overrides;
}

hw::NpuConfig withPower(hw::NpuConfig config, const PowerOverrides& overrides) {
    for (const PowerOverrides::Entry& entry : overrides.entries) {
        visitPower(config, [&](std::string_view key, std::uint32_t& value) {
            value = key == entry.key ? entry.value : value;
        });
    }
    if (const std::string error = hw::findConfigError(config); !error.empty()) {
        throw InputError(fmt::format(
                "{}: [power] on {}: {}",
                overrides.entries.empty() ? config.name : overrides.entries.front().place,
                config.name, error));
    }
    return config;
}

}  // namespace vnpu::sim
