// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/compare/result_set.h"

namespace vnpu::sim {

/// A set of results as one small file to commit: JSON with a line for each row, of the quantities
/// that have a direction; words of cases only if they did not pass.
std::string baselineText(const ResultSet& results);

/// Whether the JSON is that of baselineText().
bool isBaseline(const nlohmann::json& json);
/// Throws nlohmann's exceptions for a missing or wrong value, and InputError for a later format.
ResultSet resultsOfBaseline(const nlohmann::json& json, const std::string& file);

}  // namespace vnpu::sim
