// SPDX-License-Identifier: Apache-2.0
#include "sim/config/config_text.h"

#include <fmt/format.h>

#include <concepts>
#include <string_view>
#include <type_traits>

#include "hw_model/timing/config_fields.h"

namespace vnpu::sim {

namespace {

template <typename Value>
std::string tomlText(const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
        return fmt::format("\"{}\"", nameOf(value));
    } else if constexpr (std::is_same_v<Value, std::string>) {
        return fmt::format("{:?}", value);
    } else if constexpr (std::floating_point<Value>) {
        const std::string text = fmt::format("{}", value);  // the shortest that reads the same
        return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
    } else {
        return fmt::format("{}", value);
    }
}

}  // namespace

std::string configText(const hw::NpuConfig& config) {
    std::string text;
    std::string_view current;
    visitUsedFields(config, [&](const hw::ConfigField& field, const auto& value) {
        if (field.table != current) {
            text += fmt::format("[{}]\n", field.table);
            current = field.table;
        }
        text += fmt::format("{} = {}\n", field.key, tomlText(value));
    });
    return text;
}

}  // namespace vnpu::sim
