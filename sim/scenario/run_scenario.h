// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "hw_model/timing/npu_config.h"
#include "sim/bringup/bus_tools.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/scenario_outcome.h"
#include "sim/trace/events.h"

namespace vnpu::sim {

struct Progress {
    std::uint64_t simulatedNs = 0;  // since the common start
    std::uint64_t durationNs = 0;
    std::uint64_t executions = 0;
};

struct RunOptions {
    std::vector<EventSink*> sinks;                    // not owned
    std::function<void(const Progress&)> onProgress;  // may be empty; after every execution
    BusToolOptions busTools = {};
};

/// Runs a scenario on `config` in virtual time, with a simulated thread per client. Deterministic.
/// Once per process (Platform). Every client repeats executions of one input, which is made from
/// the seed. Frames that arrived but could not start before the end of the duration are not
/// executed. Throws InputError for a model that cannot be loaded and std::runtime_error for a
/// client that cannot prepare its model.
ScenarioOutcome runScenario(const Scenario& scenario, const hw::NpuConfig& config,
                            const RunOptions& options);

}  // namespace vnpu::sim
