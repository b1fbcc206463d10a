// SPDX-License-Identifier: Apache-2.0
#include "sim/live/live_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/process_pool.h"
#include "sim/live/live_client.h"
#include "sim/live/start_gate.h"
#include "sim/service/service_process.h"

namespace vnpu::sim {

namespace {

std::vector<std::string> serviceArguments(const Scenario& scenario, const LiveRunOptions& options) {
    std::vector<std::string> words{"--config", options.config, "--pace", options.pace};
    if (!options.deviceFile.empty()) {
        words.insert(words.end(),
                     {"--device", options.deviceFile, "--seed", fmt::format("{}", scenario.seed)});
    }
    if (!options.traces.empty()) {
        words.insert(words.end(),
                     {"--trace", options.traces, "--out", options.traceFolder.string()});
    }
    return words;
}

/// The clients of a live run and their results.
class LiveRun {
  public:
    LiveRun(const Scenario& scenario, const LiveRunOptions& options)
        : scenario_(scenario),
          options_(options),
          service_(options.program, serviceArguments(scenario, options)),
          gatePath_(service_.socketPath() + ".gate"),
          gate_(gatePath_, scenario.clients.size()) {
        outcome_.clients.resize(scenario.clients.size());
    }

    ScenarioOutcome run() {
        std::vector<std::thread> threads;
        std::vector<std::uint32_t> inProcesses;
        for (std::uint32_t i = 0; i < scenario_.clients.size(); ++i) {
            if (scenario_.clients[i].processPlace.empty()) {
                threads.emplace_back([this, i] { runHere(i); });
            } else {
                inProcesses.push_back(i);
            }
        }
        runInProcesses(inProcesses);
        for (std::thread& thread : threads) {
            thread.join();
        }
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        std::stable_sort(
                outcome_.frames.begin(), outcome_.frames.end(),
                [](const FrameRecord& a, const FrameRecord& b) { return a.returnNs < b.returnNs; });
        outcome_.startNs = gate_.startNs();
        outcome_.endNs =
                outcome_.frames.empty() ? outcome_.startNs : outcome_.frames.back().returnNs;
        return std::move(outcome_);
    }

  private:
    LiveClientRequest requestFor(std::uint32_t client) const {
        return {.scenario = options_.source.text,
                .file = options_.source.file,
                .seed = options_.seed,
                .isolated = options_.isolated,
                .client = client,
                .socket = service_.socketPath(),
                .gate = gatePath_};
    }

    void runHere(std::uint32_t client) {
        try {
            accept(client, runLiveClient(scenario_, requestFor(client)));
        } catch (...) {
            fail(std::current_exception());
        }
    }

    void runInProcesses(const std::vector<std::uint32_t>& clients) {
        if (clients.empty()) {
            return;
        }
        try {
            ProcessPool pool(options_.program, static_cast<unsigned>(clients.size()));
            pool.run(
                    clients.size(),
                    [&](std::size_t i) {
                        return ProcessTask{{"live-client"}, toJson(requestFor(clients[i]))};
                    },
                    [&](std::size_t i, const ProcessResult& result) {
                        finish(clients[i], result);
                    });
        } catch (...) {
            fail(std::current_exception());
        }
    }

    void finish(std::uint32_t client, const ProcessResult& result) {
        try {
            if (!result.isExited || result.code != 0) {
                throw std::runtime_error(fmt::format(
                        "client {}: its process ended with {} {}{}{}",
                        scenario_.clients[client].name, result.isExited ? "exit code" : "signal",
                        result.code, result.errors.empty() ? "" : ": ", result.errors));
            }
            accept(client, liveClientAnswerFrom(result.output));
        } catch (...) {
            fail(std::current_exception());
        }
    }

    void accept(std::uint32_t client, LiveClientAnswer answer) {
        const std::lock_guard guard(mutex_);
        outcome_.clients[client] = std::move(answer.outcome);
        std::move(answer.frames.begin(), answer.frames.end(), std::back_inserter(outcome_.frames));
    }

    /// Keeps the first reason and opens the gate, so that no client waits for one that will not
    /// come.
    void fail(std::exception_ptr reason) {
        const std::lock_guard guard(mutex_);
        failure_ = failure_ ? failure_ : std::move(reason);
        gate_.giveUp();
    }

    const Scenario& scenario_;
    const LiveRunOptions& options_;
    ServiceProcess service_;
    const std::string gatePath_;
    StartGate gate_;
    std::mutex mutex_;  // guards what follows
    ScenarioOutcome outcome_;
    std::exception_ptr failure_;
};

}  // namespace

ScenarioOutcome runScenarioLive(const Scenario& scenario, const LiveRunOptions& options) {
    return LiveRun(scenario, options).run();
}

void refuseProcesses(const Scenario& scenario) {
    for (const ClientSpec& client : scenario.clients) {
        if (!client.processPlace.empty()) {
            throw InputError(
                    fmt::format("{}: client.process: is true, expected false, or vnpu run --live: "
                                "virtual time does not reach into other processes",
                                client.processPlace));
        }
    }
}

}  // namespace vnpu::sim
