// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/runtime/device.h"
#include "sim/config/scheduling.h"

namespace vnpu::sim {

/// Puts what a scenario overrides into the driver's options: the only place that does. Throws
/// InputError for what the driver does not offer, so that no result claims a policy that did not
/// run.
void handOver(const SchedulingOptions& scheduling, driver::DriverOptions& options);

}  // namespace vnpu::sim
