// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hw_model/regs/command_reader.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// What a command costs in readable terms, as hw_model/timing has it; start-up and latency are to
/// be added. Empty for what takes no time of an engine.
std::string costFormula(const hw::NpuConfig& config, const hw::CommandView& command);

/// What the letters of the formulas stand for, with their values in that configuration; lines.
std::string costLegend(const hw::NpuConfig& config);

}  // namespace vnpu::sim
