// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/metrics/scheduling_metrics.h"
#include "sim/report/run_report.h"

namespace vnpu::sim {

/// The executions of the run, and figures about the sharing of the device.
struct Sharing {
    ExecutionLog log;
    SchedulingMetrics metrics;
};

Sharing sharingOf(const RunReport& report);

/// The paragraph of summary.txt.
std::string sharingText(const RunReport& report);

/// The object of metrics.json: the overrides of [scheduling], and every figure by its flat name.
nlohmann::ordered_json sharingJson(const RunReport& report);

}  // namespace vnpu::sim
