// SPDX-License-Identifier: Apache-2.0
#include "sim/report/run_report.h"

#include <algorithm>
#include <numeric>

#include "sim/base/percentile.h"
#include "sim/scenario/arrivals.h"

namespace vnpu::sim {

namespace {

constexpr double kNsPerMs = 1e6;
constexpr double kNsPerSecond = 1e9;

double millisecondsOf(std::uint64_t timeNs) {
    return static_cast<double>(timeNs) / kNsPerMs;
}

}  // namespace

std::uint64_t RunReport::windowNs() const {
    std::uint64_t lastNs = outcome.startNs;
    for (const FrameRecord& frame : outcome.frames) {
        lastNs = std::max(lastNs, frame.returnNs);
    }
    return std::max(scenario.durationNs, lastNs - outcome.startNs);
}

double RunReport::windowCycles() const {
    return static_cast<double>(windowNs()) * config.clockKhz / kNsPerMs;
}

ClientFigures clientFigures(const RunReport& report, std::uint32_t client) {
    std::vector<std::uint64_t> latencies;
    for (const FrameRecord& frame : report.outcome.frames) {
        if (frame.client == client && frame.isOk) {
            latencies.push_back(frame.latencyNs());
        }
    }
    std::sort(latencies.begin(), latencies.end());
    ClientFigures figures;
    figures.answered = latencies.size();
    figures.askedHz = askedRateHz(report.scenario.clients[client]);
    figures.reachedHz = static_cast<double>(latencies.size()) * kNsPerSecond /
                        static_cast<double>(report.windowNs());
    if (latencies.empty()) {
        return figures;
    }
    const std::uint64_t sum = std::accumulate(latencies.begin(), latencies.end(), std::uint64_t{0});
    figures.meanMs = millisecondsOf(sum) / static_cast<double>(latencies.size());
    figures.p50Ms = millisecondsOf(nearestRank(latencies, 50.0));
    figures.p99Ms = millisecondsOf(nearestRank(latencies, 99.0));
    figures.maxMs = millisecondsOf(latencies.back());
    const ClientTotals& totals = report.statistics.clients()[client];
    if (totals.jobs != 0) {
        figures.deviceMeanMs = static_cast<double>(totals.jobCycles) /
                               static_cast<double>(totals.jobs) /
                               static_cast<double>(report.config.clockKhz);
    }
    return figures;
}

}  // namespace vnpu::sim
