// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "sim/report/run_report.h"

namespace vnpu::sim {

/// Writes a whole file; throws std::runtime_error if that fails.
void writeFile(const std::filesystem::path& path, std::string_view text);

/// Writes summary.txt, layers.csv, jobs.csv and metrics.json into `folder`, which must exist.
void writeReports(const RunReport& report, const std::filesystem::path& folder);

}  // namespace vnpu::sim
