// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "sim/compare/result_set.h"

namespace vnpu::sim {

// The readers of single forms of results. `file` is the name in messages. They throw InputError, or
// nlohmann's exceptions for a missing or wrong value, which readResults() turns into one.

/// metrics.json of a run, without its layers.
ResultSet resultsOfRun(const nlohmann::json& metrics);
/// Adds the layers of layers.csv.
void addLayers(std::string_view text, const std::string& file, ResultSet& results);
/// sweep.json.
ResultSet resultsOfSweep(const nlohmann::json& sweep);
/// validation.csv.
ResultSet resultsOfValidation(std::string_view text, const std::string& file);
/// JUnit XML.
ResultSet resultsOfJunit(std::string_view text, const std::string& file);
/// JSON lines of cases.
ResultSet resultsOfJsonLines(std::string_view text);
/// --benchmark_out of Google Benchmark.
ResultSet resultsOfBenchmarks(const nlohmann::json& json, const std::string& file);

/// Adds figures of metrics/figures.h to the rows of the parts that they are about: a run ("antt"),
/// a client ("p99_ms[camera]"), a priority, an app. `prefix` precedes the names of all but the
/// first.
void addFigures(const nlohmann::json& figures, const std::string& kind, const std::string& name,
                const std::string& prefix, ResultSet& results);

}  // namespace vnpu::sim
