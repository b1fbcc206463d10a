// SPDX-License-Identifier: Apache-2.0
#include "sim/results/run_metrics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace {

using namespace vnpu::sim;
using Metrics = std::vector<std::pair<FigureName, double>>;

TEST_SUITE_BEGIN("sim/results/run_metrics");

TEST_CASE("every number has its part, quantity and value") {
    const auto json = nlohmann::ordered_json::parse(R"({
        "format": 1, "scenario": "s", "seed": 9, "timing_only": true, "duration_ns": null,
        "window_ns": 100, "config": {"clock_hz": 5}, "calls": {"execute": 3},
        "power": {"active_ns_by_level": [7, 8]},
        "clients": [{"name": "c", "uid": 10, "batch": 2, "jobs": 4,
                     "rate_hz": {"asked": null, "reached": 0.5}, "energy_per_job": null}],
        "engines": [{"name": "mac", "busy_cycles": 11}],
        "scheduling": {"settings": "fifo", "isolated_ns": {"m": 12},
                       "figures": {"antt": 1.5, "stp": null, "p99_ms[c]": 2.5,
                                   "late.high": 13, "device_share@10": 1}}})");
    Metrics metrics = runMetrics(json);
    std::ranges::sort(metrics);
    const Metrics expected = {{{"app", "10", "device_share"}, 1.0},
                              {{"client", "c", "jobs"}, 4.0},
                              {{"client", "c", "p99_ms"}, 2.5},
                              {{"client", "c", "rate_hz.reached"}, 0.5},
                              {{"engine", "mac", "busy_cycles"}, 11.0},
                              {{"priority", "high", "late"}, 13.0},
                              {{"run", "", "antt"}, 1.5},
                              {{"run", "", "calls.execute"}, 3.0},
                              {{"run", "", "power.active_ns_by_level.0"}, 7.0},
                              {{"run", "", "power.active_ns_by_level.1"}, 8.0},
                              {{"run", "", "scheduling.isolated_ns.m"}, 12.0},
                              {{"run", "", "window_ns"}, 100.0}};
    CHECK(metrics == expected);
}

TEST_SUITE_END();

}  // namespace
