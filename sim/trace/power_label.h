// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "hw_model/regs/register_map.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// Whether the device has more states than active at a single clock.
bool hasPowerStates(const hw::NpuConfig& config);

/// "active 800 MHz", "suspended", "switching to 500 MHz".
std::string powerLabel(const hw::NpuConfig& config, hw::regs::PowerState state,
                       std::uint32_t level);

}  // namespace vnpu::sim
