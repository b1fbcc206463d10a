// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/scenario/run_scenario.h"
#include "sim/scenario/scenario.h"

namespace vnpu::sim {

/// What makes the isolated time of a client: model, batch and path. Clients of one key share it.
std::string isolatedKey(const ClientSpec& client);

/// Isolated times by key: what an execution takes from call to answer with the device to itself.
struct IsolatedTimes {
    std::map<std::string, std::uint64_t> byKey;
    std::map<std::string, std::string> errors{};  // by key: why there is none

    /// 0 where it is unknown.
    std::uint64_t of(const ClientSpec& client) const;
};

/// The run that measures a client's isolated time: alone, no deadline, without data and without
/// checkpoints, so that every way of sharing the device is measured against the same time.
Scenario isolatedScenario(const Scenario& scenario, const ClientSpec& client);

/// What such a run measured: the second execution, behind one that may map memory for the first
/// time. 0 if that failed.
std::uint64_t isolatedNs(const ScenarioOutcome& outcome);

/// One client for each key, in the order of the scenario.
std::vector<const ClientSpec*> distinctClients(const Scenario& scenario);

/// Turns deadlines that are factors of isolated times into times. Throws InputError where a client
/// has one, and its isolated time is unknown.
void resolveDeadlines(Scenario& scenario, const IsolatedTimes& isolated);

}  // namespace vnpu::sim
