// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/worker.h"

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/config/load_config.h"
#include "sim/live/live_scenario.h"
#include "sim/metrics/collect_records.h"
#include "sim/scenario/failures.h"
#include "sim/scenario/run_scenario.h"
#include "sim/scenario/scenario_reader.h"
#include "sim/trace/statistics.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;

/// The first client with unexpected failures in words; empty if there is none.
std::string failureOf(const Scenario& scenario, const ScenarioOutcome& outcome) {
    for (std::uint32_t i = 0; i < scenario.clients.size(); ++i) {
        if (const std::string text = failureText(scenario, outcome, i); !text.empty()) {
            return fmt::format("{}: {}", scenario.clients[i].name, text);
        }
    }
    return "";
}

}  // namespace

std::string lastLine(const std::string& text) {
    const std::size_t end = text.find_last_not_of("\n ");
    if (end == std::string::npos) {
        return "";
    }
    const std::size_t before = text.rfind('\n', end);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::string line = text.substr(begin, end + 1 - begin);
    constexpr std::string_view kName = "vnpu: ";
    return line.starts_with(kName) ? line.substr(kName.size()) : line;
}

std::string failureOf(const ProcessResult& result) {
    const std::string line = lastLine(result.errors);
    if (!result.isExited) {
        return fmt::format("ended by signal {}{}{}", result.code, line.empty() ? "" : ": ", line);
    }
    return line.empty() ? fmt::format("ended with exit code {}", result.code) : line;
}

std::string toJson(const WorkerRequest& request) {
    Json json = {{"scenario", request.scenario},
                 {"file", request.file},
                 {"config", request.config},
                 {"isolated", request.isolated.byKey},
                 {"alone", request.alone}};
    if (request.seed) {
        json["seed"] = *request.seed;
    }
    return jsonText(json);
}

WorkerRequest workerRequestFrom(const std::string& text) {
    try {
        const Json json = Json::parse(text);
        WorkerRequest request;
        request.scenario = json.at("scenario").get<std::string>();
        request.file = json.at("file").get<std::string>();
        request.config = json.at("config").get<std::string>();
        request.isolated.byKey = json.at("isolated").get<std::map<std::string, std::uint64_t>>();
        request.alone = json.at("alone").get<std::string>();
        if (json.contains("seed")) {
            request.seed = json.at("seed").get<std::uint64_t>();
        }
        return request;
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("stdin: {}, expected the request of a run", error.what()));
    }
}

WorkerAnswer serve(const WorkerRequest& request) {
    Scenario scenario = parseScenario(request.scenario, request.file, {.seed = request.seed});
    hw::NpuConfig config =
            loadConfig(request.config.empty() ? scenario.configSource : request.config);
    WorkerAnswer answer;
    if (!request.alone.empty()) {
        for (const ClientSpec& client : scenario.clients) {
            if (client.name == request.alone) {
                config.timingOnly = true;
                answer.isolatedNs =
                        isolatedNs(runScenario(isolatedScenario(scenario, client), config, {}));
                return answer;
            }
        }
        throw InputError(
                fmt::format("there is no client {}, expected one of the scenario", request.alone));
    }
    refuseProcesses(scenario);
    config = withOverrides(config, scenario.overrides);
    config.timingOnly = scenario.timingOnly;
    resolveDeadlines(scenario, request.isolated);
    Statistics statistics;
    const ScenarioOutcome outcome = runScenario(scenario, config, {{&statistics}, {}});
    const ExecutionLog log = collectRecords(scenario, outcome, statistics, request.isolated);
    const SchedulingMetrics metrics = schedulingMetrics(log);
    answer.figures = flatten(metrics, log);
    answer.failedExecutions = unexpectedFailures(scenario, outcome);
    answer.failure = failureOf(scenario, outcome);
    return answer;
}

std::string toJson(const WorkerAnswer& answer) {
    Json json = {{"isolated_ns", answer.isolatedNs},
                 {"failed_executions", answer.failedExecutions},
                 {"failure", answer.failure},
                 {"figures", Json::object()}};
    for (const Figure& figure : answer.figures) {
        json["figures"][figure.name] = figure.value ? Json(*figure.value) : Json(nullptr);
    }
    return jsonText(json, 1) + "\n";
}

WorkerAnswer answerFrom(const std::string& text) {
    WorkerAnswer answer;
    try {
        const Json json = Json::parse(text);
        answer.isolatedNs = json.at("isolated_ns").get<std::uint64_t>();
        answer.failedExecutions = json.at("failed_executions").get<std::uint64_t>();
        answer.failure = json.at("failure").get<std::string>();
        for (const auto& [name, value] : json.at("figures").items()) {
            answer.figures.push_back(
                    {name, value.is_null() ? std::nullopt : std::optional(value.get<double>())});
        }
    } catch (const Json::exception&) {
        answer.error = "it wrote no answer";
    }
    return answer;
}

WorkerAnswer answerOf(const ProcessResult& result) {
    if (!result.isExited || result.code != 0) {
        return {.error = failureOf(result)};
    }
    return answerFrom(result.output);
}

ProcessTask workerTask(const WorkerRequest& request) {
    return {.arguments = {"worker"}, .input = toJson(request)};
}

void addIsolated(const std::string& key, const WorkerAnswer& answer, IsolatedTimes& times) {
    if (answer.error.empty() && answer.isolatedNs != 0) {
        times.byKey[key] = answer.isolatedNs;
    } else {
        times.errors[key] = answer.error.empty() ? "its execution failed" : answer.error;
    }
}

IsolatedTimes measureIsolated(const Scenario& scenario, WorkerRequest request, ProcessPool& pool) {
    const std::vector<const ClientSpec*> clients = distinctClients(scenario);
    IsolatedTimes times;
    pool.run(
            clients.size(),
            [&](std::size_t index) {
                request.alone = clients[index]->name;
                return workerTask(request);
            },
            [&](std::size_t index, const ProcessResult& result) {
                addIsolated(isolatedKey(*clients[index]), answerOf(result), times);
            });
    return times;
}

}  // namespace vnpu::sim
