// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <utility>
#include <vector>

#include "sim/metrics/figure_name.h"

namespace vnpu::sim {

/// All numbers of metrics.json but those of the device's configuration and the names of clients,
/// each with what it is about. Nested keys are joined by dots: the client's "latency_ms.mean".
std::vector<std::pair<FigureName, double>> runMetrics(const nlohmann::ordered_json& metrics);

}  // namespace vnpu::sim
