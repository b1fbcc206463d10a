// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sim/cli/commands.h"

namespace vnpu::sim {

struct StressFaultsArguments {
    std::uint64_t faults = 0;
    std::uint64_t seed = 1;
    std::string config;
    std::string story;  // file to write, "" for none
    bool json = false;
};

/// `vnpu stress --faults`.
ExitCode stressFaults(const StressFaultsArguments& arguments);

}  // namespace vnpu::sim
