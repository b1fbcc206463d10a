// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/api/scheduling.h"
#include "sim/config/scheduling.h"

namespace vnpu::sim {

/// What the driver takes: its own settings with those of the table in their place.
driver::SchedulingOptions driverScheduling(const SchedulingOptions& options,
                                           std::uint32_t clockKhz);

}  // namespace vnpu::sim
