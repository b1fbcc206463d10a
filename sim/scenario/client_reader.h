// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/config/strict_toml.h"
#include "sim/scenario/scenario.h"

namespace vnpu::sim {

/// The place of a [[client]] table, and the seed of its choices.
struct ClientReading {
    const std::string& file;
    const std::filesystem::path& folder;  // of the file
    std::uint64_t seed = 1;
};

/// The clients of a [[client]] table: one, or its copies. Throws InputError.
std::vector<ClientSpec> readClients(const toml::table& source, const ClientReading& reading);

}  // namespace vnpu::sim
