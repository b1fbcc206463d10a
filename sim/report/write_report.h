// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>

#include "sim/report/run_report.h"

namespace vnpu::sim {

/// Writes `text` as the complete contents of a file; throws std::runtime_error if that fails.
void writeFile(const std::filesystem::path& path, std::string_view text);

/// Creates a folder if it does not exist; returns the error.
std::error_code makeFolder(const std::filesystem::path& folder);

/// Creates the folder of an option --out; throws InputError.
void makeOutFolder(const std::filesystem::path& folder);

/// Writes summary.txt, layers.csv, jobs.csv and metrics.json into `folder`, which must exist.
void writeReports(const RunReport& report, const std::filesystem::path& folder);

}  // namespace vnpu::sim
