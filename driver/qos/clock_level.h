// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/port/device_info.h"

namespace vnpu::driver {

/// The device as a compiler has to see it for a clock level: rates and latencies in that level's
/// cycles. Memory keeps its time, so a slower clock gets more bytes a cycle.
DeviceInfo atLevel(const DeviceInfo& info, std::uint32_t level);

/// So many device cycles in cycles of the level, rounded down.
std::uint64_t toLevelCycles(std::uint64_t deviceCycles, const DeviceInfo& info,
                            std::uint32_t level);

/// Turns the estimates of a model that was compiled for atLevel() into device cycles.
void toDeviceCycles(CompiledModel& compiled, const DeviceInfo& info, std::uint32_t level);

}  // namespace vnpu::driver
