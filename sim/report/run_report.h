// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "hw_model/timing/npu_config.h"
#include "sim/metrics/isolated.h"
#include "sim/scenario/run_scenario.h"
#include "sim/scenario/scenario.h"
#include "sim/trace/statistics.h"

namespace vnpu::sim {

/// The data of all reports of a run. References must outlive it.
struct RunReport {
    const Scenario& scenario;
    const hw::NpuConfig& config;
    const ScenarioOutcome& outcome;
    const Statistics& statistics;
    IsolatedTimes isolated{};  // none where they were not measured

    const std::vector<ClientInfo>& clients() const { return statistics.clientInfos(); }
    /// The time that rates and utilizations refer to: the duration of the scenario, or longer if
    /// answers came later.
    std::uint64_t windowNs() const;
    /// The same in device cycles.
    double windowCycles() const;
};

/// The figures of a client in tables. Latency is from a frame's arrival to its answer, over the
/// successful executions; percentiles are by nearest rank.
struct ClientFigures {
    std::uint64_t answered = 0;  // successful executions
    double askedHz = 0.0;        // 0: closed loop
    double reachedHz = 0.0;
    double meanMs = 0.0;
    double p50Ms = 0.0;
    double p99Ms = 0.0;
    double maxMs = 0.0;
    double deviceMeanMs = 0.0;  // first to last engine work of its jobs
};

ClientFigures clientFigures(const RunReport& report, std::uint32_t client);

/// The table printed at the end of a run.
std::string clientTable(const RunReport& report);

/// The same for a live run, whose latencies are wall time: with the time on the device alone, and
/// with what the times mean.
std::string liveClientTable(const RunReport& report);

/// summary.txt, for people.
std::string summaryText(const RunReport& report);

/// layers.csv: one line per client and model operation, averages per execution.
std::string layersCsv(const RunReport& report);

/// jobs.csv: one line per executed frame. Times in ns since power-on.
std::string jobsCsv(const RunReport& report);

/// metrics.json: all figures, for programs.
std::string metricsJson(const RunReport& report);
/// The same as an object.
nlohmann::ordered_json metricsObject(const RunReport& report);

}  // namespace vnpu::sim
