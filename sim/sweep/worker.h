// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/process_pool.h"
#include "sim/metrics/figures.h"
#include "sim/metrics/isolated.h"

namespace vnpu::sim {

/// One run that a process of its own makes, and how it is told: `vnpu worker` reads it as JSON and
/// writes its answer as JSON.
struct WorkerRequest {
    std::string scenario;  // TOML text
    std::string file;      // that stands in messages; paths are relative to its folder
    std::optional<std::uint64_t> seed{};
    std::string config{};  // in place of the scenario's; empty: the scenario's
    IsolatedTimes isolated{};
    std::string alone{};  // measure this client's isolated time; empty: run the scenario
};

struct WorkerAnswer {
    std::string error{};           // why there is nothing else; empty if all went well
    std::uint64_t isolatedNs = 0;  // of `alone`; 0 if it failed
    std::vector<Figure> figures{};
    std::uint64_t failedExecutions = 0;
};

std::string toJson(const WorkerRequest& request);
/// Throws InputError for what is no request.
WorkerRequest workerRequestFrom(const std::string& json);

/// Does what the request asks for, in this process. Once per process. Throws as runScenario.
WorkerAnswer serve(const WorkerRequest& request);

std::string toJson(const WorkerAnswer& answer);
/// From what toJson wrote; with an error for anything else.
WorkerAnswer answerFrom(const std::string& json);
/// Why a process that did not end with exit code 0 failed: its last line, where it wrote one.
std::string failureOf(const ProcessResult& result);
/// What a process's end says.
WorkerAnswer answerOf(const ProcessResult& result);

/// The process that serves a request.
ProcessTask workerTask(const WorkerRequest& request);

}  // namespace vnpu::sim
