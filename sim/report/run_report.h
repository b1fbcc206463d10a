// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw_model/timing/npu_config.h"
#include "sim/metrics/isolated.h"
#include "sim/scenario/run_scenario.h"
#include "sim/scenario/scenario.h"
#include "sim/trace/statistics.h"

namespace vnpu::sim {

/// Everything that the reports of a run are made from. References must outlive it.
struct RunReport {
    const Scenario& scenario;
    const hw::NpuConfig& config;
    const ScenarioOutcome& outcome;
    const Statistics& statistics;
    const std::vector<ClientInfo>& clients;
    IsolatedTimes isolated{};  // none where they were not measured

    /// The span that rates and utilisations refer to: the scenario's duration, or longer if answers
    /// came later.
    std::uint64_t windowNs() const;
    /// The same in device cycles.
    double windowCycles() const;
};

/// A client's figures as tables show them. Latency is from a frame's arrival to its answer, over
/// the executions that worked; percentiles are by nearest rank.
struct ClientFigures {
    std::uint64_t answered = 0;  // executions that worked
    double askedHz = 0.0;        // 0: closed loop
    double reachedHz = 0.0;
    double meanMs = 0.0;
    double p50Ms = 0.0;
    double p99Ms = 0.0;
    double maxMs = 0.0;
    double deviceMeanMs = 0.0;  // first to last engine work of its jobs
};

ClientFigures clientFigures(const RunReport& report, std::uint32_t client);

/// The table that ends a run.
std::string clientTable(const RunReport& report);

/// summary.txt: what a person wants to know.
std::string summaryText(const RunReport& report);

/// layers.csv: one line per client and model operation, averages per execution.
std::string layersCsv(const RunReport& report);

/// jobs.csv: one line per executed frame. Times in ns since power-on.
std::string jobsCsv(const RunReport& report);

/// metrics.json: all of it for programs.
std::string metricsJson(const RunReport& report);

}  // namespace vnpu::sim
