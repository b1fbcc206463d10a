// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "sim/metrics/isolated.h"
#include "sim/scenario/scenario_outcome.h"
#include "sim/scenario/scenario_reader.h"

namespace vnpu::sim {

struct LiveRunOptions {
    std::string program;  // path of a vnpu
    ScenarioText source;  // of the scenario, for the clients in processes of their own
    std::optional<std::uint64_t> seed{};
    std::string config;           // name or path of the device configuration
    std::string deviceFile = "";  // with the scenario's DeviceSettings; empty: none
    std::string pace = "max";
    std::string traces = "";              // kinds, as for TraceFiles
    std::filesystem::path traceFolder{};  // must exist
    IsolatedTimes isolated{};             // with which the scenario's deadlines were resolved
};

/// Runs a scenario live on a service in a process of its own. Clients run in processes of their own
/// where the scenario says so, else on threads of this process. Times are those of the steady
/// clock. Only outputs are deterministic. Throws as runScenario, and std::runtime_error for a
/// client or a service that ends early.
ScenarioOutcome runScenarioLive(const Scenario& scenario, const LiveRunOptions& options);

/// Throws InputError if a client asks for a process of its own, which virtual time does not
/// support.
void refuseProcesses(const Scenario& scenario);

}  // namespace vnpu::sim
