// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/scenario_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <iterator>
#include <vector>

#include "sim/base/error.h"
#include "sim/config/embedded_files.h"
#include "sim/config/strict_toml.h"

namespace vnpu::sim {

ScenarioText readScenarioText(const std::string& nameOrPath, const char* what) {
    if (const EmbeddedFile* shipped = findEmbedded(embeddedScenarios(), nameOrPath)) {
        return {std::string(shipped->text), fmt::format("{}.toml", shipped->name)};
    }
    std::ifstream in(nameOrPath, std::ios::binary);
    if (!in) {
        std::vector<std::string> names;
        for (const EmbeddedFile& file : embeddedScenarios()) {
            names.emplace_back(file.name);
        }
        throw InputError(fmt::format(
                "{} \"{}\" can't be read, expected the path of a .toml file or one of {}{}", what,
                nameOrPath, fmt::join(names, ", "), didYouMean(nameOrPath, names)));
    }
    return {{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}, nameOrPath};
}

}  // namespace vnpu::sim
