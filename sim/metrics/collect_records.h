// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/metrics/execution_record.h"
#include "sim/metrics/isolated.h"
#include "sim/scenario/run_scenario.h"
#include "sim/trace/statistics.h"

namespace vnpu::sim {

/// The executions of a run, in the order of their answers.
ExecutionLog collectRecords(const Scenario& scenario, const ScenarioOutcome& outcome,
                            const Statistics& statistics, const IsolatedTimes& isolated);

}  // namespace vnpu::sim
