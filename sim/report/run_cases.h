// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/ci/case_outcome.h"
#include "sim/report/run_report.h"

namespace vnpu::sim {

// The cases of a run; their suite is the scenario.

/// Each client, which fails if more or fewer executions failed, or gave other outputs, than the
/// scenario expects.
std::vector<CaseOutcome> clientCases(const RunReport& report);

/// The run as a whole, which fails by mistakes of the driver that lint found.
CaseOutcome wholeCase(const RunReport& report);

}  // namespace vnpu::sim
