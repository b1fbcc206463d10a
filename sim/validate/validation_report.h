// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/ci/case_outcome.h"
#include "sim/validate/check.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

/// The checks as a table for people. Notes that would make a line longer than 120 characters stand
/// below their check.
std::string checksText(const std::vector<Check>& checks);
/// What the columns of the table and the figures of the summary mean, a line for each.
std::string checksLegend();
/// A check as a case: its suite is the rung, its name "SUBJECT: QUANTITY"; one without a verdict is
/// skipped.
CaseOutcome outcomeOf(const Check& check);
/// One line per check, with a header.
std::string checksCsv(const std::vector<Check>& checks);
/// One line per point of every curve, with a header.
std::string curvesCsv(const std::vector<Curve>& curves);
/// A line for each kind of check: how many pass by number alone, by parts that sum, and fail;
/// compiled networks against outside numbers first, with the geometric mean of their times over the
/// reference's.
std::string checksSummary(const std::vector<Check>& checks);
/// The ratios of times of compiled networks, by class of device: number, least, geometric mean,
/// most; empty without such checks.
std::string errorBands(const std::vector<Check>& checks);

}  // namespace vnpu::sim
