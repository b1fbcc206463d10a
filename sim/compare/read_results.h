// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/compare/result_set.h"

namespace vnpu::sim {

/// Reads the results of `vnpu run`, `sweep` or `validate --out` from a folder, or those of a file:
/// a baseline, metrics.json, sweep.json, validation.csv, JUnit XML, JSON lines of cases, or JSON of
/// Google Benchmark. The form is found by the contents. Throws InputError with file, place and what
/// was expected.
ResultSet readResults(const std::string& path);

}  // namespace vnpu::sim
