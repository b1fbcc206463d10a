// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/metrics/isolated.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/scenario_outcome.h"

namespace vnpu::sim {

/// The request for one client of a live run, which `vnpu live-client` reads as JSON.
struct LiveClientRequest {
    std::string scenario;  // TOML text
    std::string file;      // name in messages; paths are relative to its folder
    std::optional<std::uint64_t> seed{};
    IsolatedTimes isolated{};
    std::uint32_t client = 0;  // its index in the scenario
    std::string socket;        // of the service
    std::string gate;          // of the StartGate at which all clients wait
};

/// The results of the client.
struct LiveClientAnswer {
    ClientOutcome outcome;
    std::vector<FrameRecord> frames;
};

/// Runs the client on this thread. Throws as runClient, and std::runtime_error if the service dies.
LiveClientAnswer runLiveClient(const Scenario& scenario, const LiveClientRequest& request);

std::string toJson(const LiveClientRequest& request);
/// Throws InputError for a text that is not a request.
LiveClientRequest liveClientRequestFrom(const std::string& json);

std::string toJson(const LiveClientAnswer& answer);
/// Throws std::runtime_error for a text that is not an answer.
LiveClientAnswer liveClientAnswerFrom(const std::string& json);

}  // namespace vnpu::sim
