// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace vnpu::sim {

/// An option whose value is an enumerator, given by its name.
template <typename Enum>
void addChoice(CLI::App& command, const std::string& name, Enum& value,
               const std::vector<Enum>& choices, const std::string& help) {
    std::map<std::string, Enum> values;
    std::string names;
    for (const Enum choice : choices) {
        const std::string word(nameOf(choice));
        values[word] = choice;
        names += (names.empty() ? "" : "|") + word;
    }
    command.add_option(name, value, help)
            ->transform(CLI::CheckedTransformer(values).description(""))
            ->type_name(names)
            ->default_str(std::string(nameOf(value)));
}

}  // namespace vnpu::sim
