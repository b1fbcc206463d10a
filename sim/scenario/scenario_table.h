// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/config/strict_toml.h"
#include "sim/scenario/scenario.h"

namespace vnpu::sim {

/// As parseScenario, from a table.
Scenario scenarioOf(const toml::table& root, const std::string& file,
                    const ScenarioOptions& options = {});

}  // namespace vnpu::sim
