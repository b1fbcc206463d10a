// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

namespace vnpu::sim {

/// The name of a device's service, such as "vnpu-edge", from the name or file of its configuration.
/// It has one '-' only, as the VTS demands of instance names.
inline std::string instanceName(const std::string& config) {
    std::string stem = std::filesystem::path(config).stem().string();
    std::replace(stem.begin(), stem.end(), '-', '_');
    return "vnpu-" + stem;
}

}  // namespace vnpu::sim
