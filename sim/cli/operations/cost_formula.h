// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hw_model/regs/command_reader.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// The cycles of a command as a readable formula, after hw_model/timing; start-up and latency are
/// not included. Empty for a command that takes no time of an engine.
std::string costFormula(const hw::NpuConfig& config, const hw::CommandView& command);

/// The meaning of the letters in the formulas, with their values in that configuration; several
/// lines.
std::string costLegend(const hw::NpuConfig& config);

}  // namespace vnpu::sim
