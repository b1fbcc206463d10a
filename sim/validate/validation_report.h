// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/validate/check.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

/// The checks as a table for people.
std::string checksText(const std::vector<Check>& checks);
/// One line per check, with a header.
std::string checksCsv(const std::vector<Check>& checks);
/// One line per point of every curve, with a header.
std::string curvesCsv(const std::vector<Curve>& curves);
/// "41 passed, 2 explained, 3 failed".
std::string checksSummary(const std::vector<Check>& checks);

}  // namespace vnpu::sim
