// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/scenario/run_scenario.h"
#include "sim/scenario/scenario.h"

namespace vnpu::sim {

/// The key of a client's isolated time: model, batch and path. Clients with the same key share the
/// time.
std::string isolatedKey(const ClientSpec& client);

/// Isolated times by key: the time of an execution from call to answer, alone on the device.
struct IsolatedTimes {
    std::map<std::string, std::uint64_t> byKey;
    std::map<std::string, std::string> errors{};  // by key: why the time is missing

    /// The isolated time of the client; 0 where it is unknown.
    std::uint64_t of(const ClientSpec& client) const;
};

/// The run that measures a client's isolated time: alone, without deadline, data and checkpoints,
/// so that every way of sharing the device is compared with the same time.
Scenario isolatedScenario(const Scenario& scenario, const ClientSpec& client);

/// The result of such a run: the time of the second execution, because the first may have to map
/// memory. 0 if it failed.
std::uint64_t isolatedNs(const ScenarioOutcome& outcome);

/// One client for each key, in the order of the scenario.
std::vector<const ClientSpec*> distinctClients(const Scenario& scenario);

/// Turns deadlines that are factors of isolated times into times. Throws InputError where the
/// isolated time of such a client is unknown.
void resolveDeadlines(Scenario& scenario, const IsolatedTimes& isolated);

}  // namespace vnpu::sim
