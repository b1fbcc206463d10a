// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/report/run_report.h"
#include "sim/scenario/run_scenario.h"
#include "sim/scenario/scenario.h"
#include "sim/trace/statistics.h"

namespace vnpu::test {

/// A finished run made by hand, on the 500 MHz device of recorded_run.h. It starts at 1 us and
/// lasts 10 us. The camera executed frames 4 and 5 as playExecution() does (at cycles 1000 and
/// 2000); the keyword client's only frame was refused because of its deadline, without a job; a
/// second frame never started.
struct ReportBench {
    ReportBench();

    sim::Scenario scenario;
    hw::NpuConfig config;
    sim::ScenarioOutcome outcome;
    sim::Statistics statistics;
    sim::RunReport report;
};

}  // namespace vnpu::test
