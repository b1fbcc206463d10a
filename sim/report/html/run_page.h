// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/report/html/timeline_columns.h"
#include "sim/report/run_report.h"

namespace vnpu::sim {

/// The data of a run's page: the contents of metrics.json and layers.csv, the frames and jobs in
/// packed columns, the settings with their units, and the timeline. README.md lists the keys.
nlohmann::ordered_json runPageData(const RunReport& report, const TimelineColumns& timeline);

/// report.html: the page of a run.
std::string runPage(const RunReport& report, const TimelineColumns& timeline);

}  // namespace vnpu::sim
