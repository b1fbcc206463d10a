// SPDX-License-Identifier: Apache-2.0
#include "sim/service/instance_name.h"

#include <algorithm>
#include <filesystem>

namespace vnpu::sim {

std::string instanceName(const std::string& config) {
    std::string stem = std::filesystem::path(config).stem().string();
    std::replace(stem.begin(), stem.end(), '-', '_');
    return "vnpu-" + stem;
}

}  // namespace vnpu::sim
