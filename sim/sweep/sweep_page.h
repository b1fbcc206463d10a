// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/sweep/run_sweep.h"
#include "sim/sweep/sweep_file.h"

namespace vnpu::sim {

/// The data of a sweep's page: the rows of sweepJson() in packed columns, one value per row.
/// report/page/README.md lists the keys.
nlohmann::ordered_json sweepPageData(const Sweep& sweep, const SweepOutcome& outcome);

/// report.html: the page of a sweep.
std::string sweepPage(const Sweep& sweep, const SweepOutcome& outcome);

}  // namespace vnpu::sim
