// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw_model/blocks/base/fault_injector.h"

namespace vnpu::sim {

/// A [[fault]] table of a scenario. Times are nanoseconds since the common start.
struct FaultPlan {
    hw::FaultSpec spec;  // without its times
    std::uint64_t atNs = 0;
    std::optional<std::uint64_t> lastingNs{};  // engine-slow; empty: to the end
};

/// Reads the tables; throws InputError with file, line and what was expected.
std::vector<FaultPlan> readFaults(const toml::array& tables, const std::string& file);

/// Arms the planned faults, for clients that start at `startNs` of device time.
void armFaults(const std::vector<FaultPlan>& plans, std::uint64_t startNs, std::uint32_t clockKhz,
               hw::FaultInjector& injector);

/// Cycles of the device clock in `nanoseconds`.
std::uint64_t cyclesOf(std::uint64_t nanoseconds, std::uint32_t clockKhz);

}  // namespace vnpu::sim
