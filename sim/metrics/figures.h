// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/metrics/scheduling_metrics.h"

namespace vnpu::sim {

/// One number of a run with its name; empty where it does not exist.
struct Figure {
    std::string name;
    std::optional<double> value;
};

/// All metrics as a flat list in a fixed order: "antt", "sla_4", "p99_ms", then with the priority
/// after a dot ("p99_ms.high"), then the UIDs' shares ("device_share@10101"), then with the client
/// in brackets ("p99_ms[camera]").
std::vector<Figure> flatten(const SchedulingMetrics& metrics, const ExecutionLog& log);

/// The names in the result of flatten() for runs of a scenario.
std::vector<std::string> figureNames(const Scenario& scenario);

}  // namespace vnpu::sim
