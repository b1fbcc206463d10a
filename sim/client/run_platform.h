// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/bringup/bus_tools.h"
#include "sim/client/driver_log.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

/// Runs the platform. Adds the driver's own reason to exceptions if `log` has one. A model that the
/// driver can never run on this device (INVALID_ARGUMENT, RESOURCE_EXHAUSTED_PERSISTENT) becomes
/// InputError.
void runPlatform(Platform& platform, const DriverLog& log);
/// As above, and ends the tools, also after an exception.
void runPlatform(Platform& platform, const DriverLog& log, BusTools& tools);

/// Throws the exception that runPlatform throws in place of `error`; `reason` is the driver's
/// explanation and may be empty.
[[noreturn]] void throwWithReason(const std::runtime_error& error, const std::string& reason);

}  // namespace vnpu::sim
