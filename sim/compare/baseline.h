// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/compare/result_set.h"

namespace vnpu::sim {

/// A set of results as one small file to commit: JSON with a line for each row, of the quantities
/// that have a direction.
std::string baselineText(const ResultSet& results);
/// Whether the row has such a quantity.
bool isInBaseline(const ResultRow& row);

/// Whether the JSON is that of baselineText().
bool isBaseline(const nlohmann::json& json);
/// Throws nlohmann's exceptions for a missing or wrong value, and InputError for a later format.
ResultSet resultsOfBaseline(const nlohmann::json& json, const std::string& file);

}  // namespace vnpu::sim
