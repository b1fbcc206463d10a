// SPDX-License-Identifier: Apache-2.0
#include "sim/config/load_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <type_traits>

#include "hw_model/timing/config_fields.h"
#include "sim/base/error.h"
#include "sim/config/embedded_files.h"
#include "sim/config/strict_toml.h"

namespace vnpu::sim {

namespace {

/// Fills a configuration's fields from the tables of one file.
class FieldReader {
  public:
    FieldReader(StrictTable& top, const std::string& file, bool isComplete)
        : top_(top), file_(file), isComplete_(isComplete) {
        knowKeys(top_, "");
    }

    template <typename Value>
    void operator()(const hw::ConfigField& field, Value& value) {
        using enum hw::Presence;
        StrictTable* table = tableFor(field.table);
        if (table == nullptr) {
            if (isComplete_ && field.presence == kAlways) {
                throw InputError(
                        fmt::format("{}:1: table [{}] is missing, expected it or base = \"edge\"",
                                    file_, field.table));
            }
            return;
        }
        const bool isThere = readValue(*table, field.key, value);
        const bool isNeeded = field.presence == kAlways || field.presence == kWithTable;
        if (!isThere && isComplete_ && isNeeded) {
            table->require(field.key, fmt::format("{}, or base = \"edge\" to take it from there",
                                                  expectation(value, field.unit)));
        }
    }

    void finish() const {
        top_.finish();
        for (const auto& [name, table] : tables_) {
            if (table) {
                table->finish();
            }
        }
    }

    std::uint32_t lineOf(const std::string& tableName, std::string_view key) {
        const StrictTable* table = tableFor(tableName);
        return table == nullptr ? 1 : table->lineOf(key);
    }

  private:
    static std::string expectation(const bool&, std::string_view) { return "true or false"; }
    static std::string expectation(const std::string&, std::string_view) { return "a string"; }
    static std::string expectation(const double&, std::string_view unit) {
        return fmt::format("a number ({})", unit);
    }
    template <typename Enum>
    requires std::is_enum_v<Enum>
    static std::string expectation(const Enum& value, std::string_view) {
        return fmt::format("one of {}", fmt::join(choicesOf(value), ", "));
    }
    static std::string expectation(const std::uint32_t&, std::string_view unit) {
        return unit.empty() ? "an integer" : fmt::format("an integer ({})", unit);
    }

    template <typename Value>
    static bool readValue(StrictTable& table, std::string_view key, Value& value) {
        if constexpr (std::is_enum_v<Value>) {
            return table.readChoice(key, choicesOf(value), value);
        } else {
            return table.read(key, value);
        }
    }

    static void knowKeys(StrictTable& table, std::string_view name) {
        const hw::NpuConfig config;
        visitConfigFields(config, [&](const hw::ConfigField& field, const auto&) {
            if (field.table == name) {
                table.know(field.key);
            }
        });
    }

    StrictTable* tableFor(std::string_view name) {
        if (name.empty()) {
            return &top_;
        }
        const auto [slot, isNew] = tables_.try_emplace(std::string(name));
        const toml::table* table = isNew ? top_.table(name) : nullptr;
        if (table != nullptr) {
            slot->second.emplace(*table, file_, slot->first + ".");
            knowKeys(*slot->second, name);
        }
        return slot->second ? &*slot->second : nullptr;
    }

    StrictTable& top_;
    const std::string& file_;
    bool isComplete_;
    std::map<std::string, std::optional<StrictTable>, std::less<>> tables_;
};

const EmbeddedFile& shippedConfig(const StrictTable& table, const std::string& name) {
    const EmbeddedFile* file = findEmbedded(embeddedConfigs(), name);
    if (file == nullptr) {
        table.fail("base",
                   fmt::format("is \"{}\", expected one of {}{}", name,
                               fmt::join(configNames(), ", "), didYouMean(name, configNames())));
    }
    return *file;
}

void checkRanges(const hw::NpuConfig& config, FieldReader& fields, const std::string& file) {
    const std::string error = hw::findConfigError(config);
    if (error.empty()) {
        return;
    }
    const std::size_t end = error.find(' ');
    const std::string key = error.substr(0, end);
    const std::size_t dot = key.find('.');
    const std::string table = dot == std::string::npos ? "" : key.substr(0, dot);
    const std::string leaf = dot == std::string::npos ? key : key.substr(dot + 1);
    throw InputError(fmt::format("{}:{}: {}{}", file, fields.lineOf(table, leaf), key,
                                 end == std::string::npos ? "" : error.substr(end)));
}

}  // namespace

const EmbeddedFile* findEmbedded(std::span<const EmbeddedFile> files, std::string_view name) {
    for (const EmbeddedFile& file : files) {
        if (file.name == name) {
            return &file;
        }
    }
    return nullptr;
}

std::vector<std::string> configNames() {
    std::vector<std::string> names;
    for (const EmbeddedFile& file : embeddedConfigs()) {
        names.emplace_back(file.name);
    }
    std::ranges::sort(names);
    return names;
}

hw::NpuConfig parseConfig(std::string_view text, const std::string& file) {
    const toml::table root = parseToml(text, file);
    StrictTable top(root, file, "");
    hw::NpuConfig config;
    std::string base;
    const bool hasBase = top.read("base", base);
    if (hasBase) {
        const EmbeddedFile& shipped = shippedConfig(top, base);
        config = parseConfig(shipped.text, fmt::format("{}.toml", shipped.name));
    }
    FieldReader fields(top, file, !hasBase);
    visitConfigFields(config, fields);
    fields.finish();
    checkRanges(config, fields, file);
    return config;
}

hw::NpuConfig loadConfig(const std::string& nameOrPath) {
    if (const EmbeddedFile* shipped = findEmbedded(embeddedConfigs(), nameOrPath)) {
        return parseConfig(shipped->text, fmt::format("{}.toml", shipped->name));
    }
    const bool isPath =
            nameOrPath.find('/') != std::string::npos || nameOrPath.find('.') != std::string::npos;
    std::ifstream in(nameOrPath, std::ios::binary);
    if (!in) {
        throw InputError(
                fmt::format("configuration \"{}\" {}, expected {} or the path of a .toml file{}",
                            nameOrPath, isPath ? "can't be read" : "is unknown",
                            fmt::join(configNames(), ", "), didYouMean(nameOrPath, configNames())));
    }
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    return parseConfig(text, nameOrPath);
}

}  // namespace vnpu::sim
