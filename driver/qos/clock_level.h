// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/port/device_info.h"

namespace vnpu::driver {

/// The device as the compiler sees it at a clock level: rates and latencies in that level's cycles.
/// Memory speed does not change, so a slower clock has more bytes per cycle.
DeviceInfo atLevel(const DeviceInfo& info, std::uint32_t level);

/// Device cycles in cycles of the level, rounded down.
std::uint64_t toLevelCycles(std::uint64_t deviceCycles, const DeviceInfo& info,
                            std::uint32_t level);

/// Converts the estimates of a model compiled for atLevel() into device cycles.
void toDeviceCycles(CompiledModel& compiled, const DeviceInfo& info, std::uint32_t level);

}  // namespace vnpu::driver
