// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/split.h"
#include "sim/config/faults.h"

namespace vnpu::sim {

namespace {

constexpr std::string_view kKeyForm =
        "expected scenario.KEY, scheduling.KEY, memory.KEY, power.KEY, dram.KEY, sram.KEY, "
        "client.NAME.KEY or client.*.KEY";

/// The tables of a scenario whose keys a point of a sweep may set.
constexpr std::string_view kTables[] = {"scenario", "scheduling", "memory",
                                        "power",    "dram",       "sram"};

void put(toml::table& table, const std::string& key, const toml::node& value) {
    value.visit([&](const auto& concrete) { table.insert_or_assign(key, concrete); });
}

/// Sets the key in each client called `name`, or in all for "*".
std::string putIntoClients(toml::table& root, const std::string& name, const std::string& key,
                           const toml::node& value) {
    std::vector<std::string> names;
    bool isFound = false;
    toml::array* clients = root["client"].as_array();
    for (std::size_t i = 0; clients != nullptr && i < clients->size(); ++i) {
        toml::table* client = clients->get(i)->as_table();
        const auto present =
                client == nullptr ? std::nullopt : (*client)["name"].value<std::string>();
        if (!present) {
            continue;
        }
        names.push_back(*present);
        if (name == "*" || name == *present) {
            put(*client, key, value);
            isFound = true;
        }
    }
    return isFound ? ""
                   : fmt::format("names client {}, expected one of the scenario{}", name,
                                 didYouMean(name, names));
}

/// {value = VALUE}
toml::table tableOfValue(const std::string& text) {
    try {
        toml::table table = parseToml("value = " + text, "");
        if (table.size() == 1) {
            return table;
        }
    } catch (const InputError&) {
    }
    return toml::table{{"value", text}};
}

/// The table of a fault that is written in one line.
toml::table faultOf(const std::string& text) {
    const std::string place = "--fault:1: ";
    try {
        const toml::table parsed = parseToml("fault = [{ " + text + " }]", "--fault");
        const toml::array* all = parsed["fault"].as_array();
        if (parsed.size() != 1 || all == nullptr || all->size() != 1) {
            throw InputError("expected KEY = VALUE, ...");
        }
        readFaults(*all, "--fault");
        return *all->get(0)->as_table();
    } catch (const InputError& error) {
        const std::string_view why = error.what();
        throw InputError(fmt::format("--fault {}: {}", text,
                                     why.starts_with(place) ? why.substr(place.size()) : why));
    }
}

}  // namespace

std::string applyOverride(toml::table& root, const Override& change) {
    const auto& [key, value] = change;
    const std::vector<std::string> parts = split(key, '.');
    const bool isTable =
            parts.size() == 2 && std::ranges::find(kTables, parts[0]) != std::end(kTables);
    const bool isClient = parts.size() == 3 && parts[0] == "client";
    if (!isTable && !isClient) {
        return fmt::format("is \"{}\", {}", key, kKeyForm);
    }
    if (isClient) {
        return putIntoClients(root, parts[1], parts[2], *value);
    }
    if (!root.contains(parts[0])) {
        root.insert(parts[0], toml::table{});
    }
    toml::table* table = root[parts[0]].as_table();
    if (table == nullptr) {
        return fmt::format("is \"{}\", but {} is not a table", key, parts[0]);
    }
    put(*table, parts[1], *value);
    return "";
}

std::string withSettings(std::string_view text, const std::string& file,
                         const std::vector<std::string>& settings) {
    if (settings.empty()) {
        return std::string(text);
    }
    toml::table scenario = parseToml(text, file);
    for (const std::string& setting : settings) {
        const std::size_t end = setting.find('=');
        if (end == std::string::npos || end == 0) {
            throw InputError(fmt::format("--set {}: expected KEY=VALUE", setting));
        }
        const toml::table value = tableOfValue(setting.substr(end + 1));
        const std::string problem =
                applyOverride(scenario, {setting.substr(0, end), value.get("value")});
        if (!problem.empty()) {
            throw InputError(fmt::format("--set {}: the key {}", setting, problem));
        }
    }
    std::ostringstream out;
    out << scenario;
    return out.str();
}

std::string withFaults(std::string_view text, const std::string& file,
                       const std::vector<std::string>& faults) {
    if (faults.empty()) {
        return std::string(text);
    }
    toml::table scenario = parseToml(text, file);
    if (!scenario.contains("fault")) {
        scenario.insert("fault", toml::array{});
    }
    for (const std::string& fault : faults) {
        scenario["fault"].as_array()->push_back(faultOf(fault));
    }
    std::ostringstream out;
    out << scenario;
    return out.str();
}

}  // namespace vnpu::sim
