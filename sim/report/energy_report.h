// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "hw_model/timing/activity.h"
#include "hw_model/timing/npu_config.h"
#include "sim/report/run_report.h"

namespace vnpu::sim {

/// {"unit": "uJ", "components": {"mac_array": ...}, "total": ...}, each divided by `executions`;
/// null where the configuration has no [energy] or there was no execution. An estimate.
nlohmann::ordered_json energyJson(const hw::NpuConfig& config, const hw::Activity& activity,
                                  std::uint64_t executions = 1);

/// The energy of one execution as an indented table by component; components without energy are
/// left out.
std::string energyTable(const hw::NpuConfig& config, const hw::Activity& activity);

/// Microjoules; 0 without [energy].
double microjoules(const hw::NpuConfig& config, const hw::Activity& activity);

/// The paragraph of summary.txt: a line per client, and the device's.
std::string energyText(const RunReport& report);

}  // namespace vnpu::sim
