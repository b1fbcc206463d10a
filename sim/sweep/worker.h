// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/process_pool.h"
#include "sim/metrics/figures.h"
#include "sim/metrics/isolated.h"
#include "sim/scenario/scenario.h"

namespace vnpu::sim {

/// The request for a run in a separate process: `vnpu worker` reads it as JSON and writes its
/// answer as JSON.
struct WorkerRequest {
    std::string scenario;  // TOML text
    std::string file;      // name in messages; paths are relative to its folder
    std::optional<std::uint64_t> seed{};
    std::string config{};  // in place of the scenario's; empty: the scenario's
    IsolatedTimes isolated{};
    std::string alone{};  // measure this client's isolated time; empty: run the scenario
};

struct WorkerAnswer {
    std::string error{};           // the reason for a missing result; empty on success
    std::uint64_t isolatedNs = 0;  // of `alone`; 0 if it failed
    std::vector<Figure> figures{};
    std::uint64_t failedExecutions = 0;  // that the scenario does not expect
    std::string failure{};               // the first client that has some, and why
};

inline bool isGood(const WorkerAnswer& answer) {
    return answer.error.empty() && answer.failedExecutions == 0;
}

std::string toJson(const WorkerRequest& request);
/// Throws InputError for a text that is not a request.
WorkerRequest workerRequestFrom(const std::string& json);

/// Performs the request in this process. Once per process. Throws as runScenario.
WorkerAnswer serve(const WorkerRequest& request);

std::string toJson(const WorkerAnswer& answer);
/// Parses the output of toJson; other texts give an answer with an error.
WorkerAnswer answerFrom(const std::string& json);
/// The last line that a program wrote before it ended, without the leading "vnpu: ".
std::string lastLine(const std::string& text);
/// The reason for an exit code other than 0: the last line of the process, if it wrote one.
std::string failureOf(const ProcessResult& result);
/// The answer of a process that has ended.
WorkerAnswer answerOf(const ProcessResult& result);

/// The process that serves a request.
ProcessTask workerTask(const WorkerRequest& request);

/// Adds a measured time, or the reason why it is missing.
void addIsolated(const std::string& key, const WorkerAnswer& answer, IsolatedTimes& times);

/// The isolated times of the clients of a scenario, each measured in a separate process, with the
/// reasons for missing ones. `request` gives scenario, file, seed and configuration.
IsolatedTimes measureIsolated(const Scenario& scenario, WorkerRequest request, ProcessPool& pool);

}  // namespace vnpu::sim
