// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/compare/comparison.h"

namespace vnpu::sim {

/// The data of a comparison's page: the changes, worst first; those of settings by themselves; rows
/// that were added or removed; how each quantity was compared. report/page/README.md lists the
/// keys.
nlohmann::ordered_json comparisonPageData(const Comparison& comparison);

/// The page of a comparison, one HTML file.
std::string comparisonPage(const Comparison& comparison);

}  // namespace vnpu::sim
