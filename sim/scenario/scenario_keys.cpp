// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/scenario_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace vnpu::sim {

namespace {

bool isPlainName(std::string_view name) {
    return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
    });
}

}  // namespace

void readName(StrictTable& table, std::string& name) {
    table.require("name", "a name of letters, digits, _ and -");
    table.read("name", name);
    if (!isPlainName(name)) {
        table.fail("name",
                   fmt::format("is \"{}\", expected 1 to 64 letters, digits, _ and -", name));
    }
}

std::string resolvePath(const std::string& written, const std::filesystem::path& folder) {
    const std::filesystem::path path(written);
    return path.is_absolute() || folder.empty() ? written
                                                : (folder / path).lexically_normal().string();
}

}  // namespace vnpu::sim
