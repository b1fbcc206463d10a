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

/// What a client of a live run is told: `vnpu live-client` reads it as JSON.
struct LiveClientRequest {
    std::string scenario;  // TOML text
    std::string file;      // that stands in messages; paths are relative to its folder
    std::optional<std::uint64_t> seed{};
    IsolatedTimes isolated{};
    std::uint32_t client = 0;  // its index in the scenario
    std::string socket;        // of the service
    std::string gate;          // where all wait for the start (StartGate)
};

/// What it did.
struct LiveClientAnswer {
    ClientOutcome outcome;
    std::vector<FrameRecord> frames;
};

/// Does it, on this thread. Throws as runClient, and std::runtime_error if the service dies.
LiveClientAnswer runLiveClient(const Scenario& scenario, const LiveClientRequest& request);

std::string toJson(const LiveClientRequest& request);
/// Throws InputError for what is no request.
LiveClientRequest liveClientRequestFrom(const std::string& json);

std::string toJson(const LiveClientAnswer& answer);
/// std::runtime_error for what is no answer.
LiveClientAnswer liveClientAnswerFrom(const std::string& json);

}  // namespace vnpu::sim
