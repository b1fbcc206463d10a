// SPDX-License-Identifier: Apache-2.0
#include "sim/metrics/isolated.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/error.h"

namespace vnpu::sim {

std::string isolatedKey(const ClientSpec& client) {
    const std::string preference = client.preference == ClientPreference::kFast
                                           ? ""
                                           : fmt::format(" {}", nameOf(client.preference));
    return fmt::format("{} batch {} {}{}", client.modelSource, client.batch, nameOf(client.path),
                       preference);
}

std::uint64_t IsolatedTimes::of(const ClientSpec& client) const {
    const auto found = byKey.find(isolatedKey(client));
    return found == byKey.end() ? 0 : found->second;
}

Scenario isolatedScenario(const Scenario& scenario, const ClientSpec& client) {
    Scenario alone = scenario;
    alone.durationNs = 0;
    alone.timingOnly = true;
    alone.scheduling = {};
    alone.overrides = {};
    alone.faults = {};  // they are armed for the run's executions, and would slow other runs' times
    alone.scheduling.mechanism = fw::Mechanism::kNone;
    alone.scheduling.checkpointUs = 0.0;
    ClientSpec only;
    only.name = "isolated";
    only.uid = client.uid;
    only.model = client.model;
    only.modelSource = client.modelSource;
    only.modelPlace = client.modelPlace;
    only.batch = client.batch;
    only.preference = client.preference;
    only.path = client.path;
    only.arrival = ArrivalKind::kClosedLoop;
    only.count = 2;
    alone.clients = {only};
    return alone;
}

std::uint64_t isolatedNs(const ScenarioOutcome& outcome) {
    return outcome.frames.size() == 2 && outcome.frames[1].isOk ? outcome.frames[1].latencyNs() : 0;
}

std::vector<const ClientSpec*> distinctClients(const Scenario& scenario) {
    std::vector<const ClientSpec*> clients;
    std::set<std::string> keys;
    for (const ClientSpec& client : scenario.clients) {
        if (keys.insert(isolatedKey(client)).second) {
            clients.push_back(&client);
        }
    }
    return clients;
}

void resolveDeadlines(Scenario& scenario, const IsolatedTimes& isolated) {
    for (ClientSpec& client : scenario.clients) {
        if (client.deadlineFactor == 0.0) {
            continue;
        }
        const std::uint64_t time = isolated.of(client);
        if (time == 0) {
            const auto error = isolated.errors.find(isolatedKey(client));
            throw InputError(fmt::format(
                    "{}: client.deadline_factor: {} has no isolated time: {}", client.modelPlace,
                    isolatedKey(client),
                    error == isolated.errors.end() ? "it was not measured" : error->second));
        }
        client.deadlineNs = std::max<std::uint64_t>(
                1, static_cast<std::uint64_t>(
                           std::llround(client.deadlineFactor * static_cast<double>(time))));
    }
}

}  // namespace vnpu::sim
