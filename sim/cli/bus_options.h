// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "sim/bringup/bus_tools.h"
#include "sim/client/run_platform.h"

namespace vnpu::sim {

/// --lint, --log-accesses and --record.
void addBusTools(CLI::App& command, BusToolOptions& options);

/// As runPlatform(), and ends the tools, also after an exception.
void runPlatform(Platform& platform, const DriverLog& log, BusTools& tools);

}  // namespace vnpu::sim
