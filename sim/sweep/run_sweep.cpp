// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/run_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "sim/base/error.h"
#include "sim/config/load_config.h"
#include "sim/scenario/scenario_reader.h"
#include "sim/sweep/content_hash.h"
#include "sim/sweep/point_store.h"
#include "sim/sweep/process_runner.h"
#include "sim/sweep/worker.h"

namespace vnpu::sim {

namespace {

/// Runs nothing: knows only why earlier runs failed.
class StoredRunner : public JobRunner {
  public:
    bool run(const std::vector<SweepJob>& jobs, const PointStore& store,
             const Finished& finished) override {
        bool isWhole = true;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            const std::optional<std::string> failure = store.findFailure(jobs[i].hash);
            isWhole = isWhole && failure.has_value();
            if (failure) {
                finished(i, {.error = *failure});
            }
        }
        return isWhole;
    }
};

using TakeAnswer = std::function<void(const WorkerAnswer&)>;

class SweepRun {
  public:
    SweepRun(const Sweep& sweep, const SweepOptions& options)
        : sweep_(sweep),
          options_(options),
          store_(std::filesystem::path(options.folder) / "points"),
          program_(programHash(options.program)) {}

    SweepOutcome run() {
        collect();
        planIsolated();
        const bool hasTimes = runJobs(true);
        if (hasTimes || options_.isMerging) {
            planPoints();
            const bool isWhole = runJobs(false);
            outcome_.isStopped = !hasTimes || !isWhole;
        }
        return std::move(outcome_);
    }

  private:
    /// A point with all inputs of its run.
    struct Prepared {
        Scenario scenario;
        const hw::NpuConfig* config = nullptr;
    };

    void collect() {
        for (std::size_t row = 0; row < sweep_.rows.size(); ++row) {
            if (options_.cases != nullptr && !options_.cases->selects(caseNameOf(sweep_, row))) {
                continue;
            }
            for (const std::uint64_t seed : sweep_.seeds) {
                outcome_.points.push_back({.row = row, .seed = seed});
                Scenario scenario =
                        parseScenario(sweep_.rows[row].scenario, sweep_.file, {.seed = seed});
                const hw::NpuConfig& config = configOf(scenario);
                withOverrides(config, scenario.overrides);  // reports a mistake before the runs
                prepared_.push_back({std::move(scenario), &config});
            }
        }
        if (options_.cases != nullptr) {
            options_.cases->checkSelection();
        }
    }

    const hw::NpuConfig& configOf(const Scenario& scenario) {
        const auto found = configs_.find(scenario.configSource);
        if (found != configs_.end()) {
            return found->second;
        }
        try {
            return configs_[scenario.configSource] = loadConfig(scenario.configSource);
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}: scenario.config: {}", sweep_.file, error.what()));
        }
    }

    void planIsolated() {
        std::set<std::string> known;
        for (std::size_t i = 0; i < prepared_.size(); ++i) {
            const Prepared& point = prepared_[i];
            for (const ClientSpec* client : distinctClients(point.scenario)) {
                const std::string hash = isolatedHash(program_, *client, *point.config);
                if (!known.insert(hash).second) {
                    continue;
                }
                WorkerRequest request = requestOf(i);
                request.alone = client->name;
                const std::string config = point.scenario.configSource;
                const std::string key = isolatedKey(*client);
                plan({std::move(request), hash}, [this, config, key](const WorkerAnswer& answer) {
                    addIsolated(key, answer, isolated_[config]);
                });
            }
        }
    }

    void planPoints() {
        for (std::size_t i = 0; i < prepared_.size(); ++i) {
            WorkerRequest request = requestOf(i);
            if (options_.isMerging && !areTimesKnown(prepared_[i].scenario)) {
                continue;  // its shard has not begun
            }
            if (!addIsolatedTimes(prepared_[i].scenario, outcome_.points[i], request)) {
                continue;
            }
            const std::string hash = pointHash(program_, request.scenario, prepared_[i].scenario,
                                               *prepared_[i].config, request.isolated);
            SweepPoint& point = outcome_.points[i];
            const std::size_t stored = stored_;
            plan({std::move(request), hash}, [&point](const WorkerAnswer& answer) {
                point.isDone = true;
                point.answer = answer;
            });
            outcome_.stored += stored_ - stored;
        }
    }

    /// Whether the isolated times of all clients were measured, or failed to be.
    bool areTimesKnown(const Scenario& scenario) {
        const IsolatedTimes& times = isolated_[scenario.configSource];
        return std::ranges::all_of(distinctClients(scenario), [&](const ClientSpec* client) {
            return times.of(*client) != 0 || times.errors.contains(isolatedKey(*client));
        });
    }

    /// Sets the isolated times of the scenario's clients. Returns false where a deadline needs a
    /// time that is missing; the point has then failed.
    bool addIsolatedTimes(const Scenario& scenario, SweepPoint& point, WorkerRequest& request) {
        const IsolatedTimes& times = isolated_[scenario.configSource];
        for (const ClientSpec* client : distinctClients(scenario)) {
            if (const std::uint64_t time = times.of(*client); time != 0) {
                request.isolated.byKey[isolatedKey(*client)] = time;
            }
        }
        try {
            Scenario resolved = scenario;
            resolveDeadlines(resolved, times);
        } catch (const InputError& error) {
            point.isDone = true;
            point.answer.error = error.what();
            return false;
        }
        return true;
    }

    WorkerRequest requestOf(std::size_t point) const {
        return {.scenario = sweep_.rows[outcome_.points[point].row].scenario,
                .file = sweep_.file,
                .seed = outcome_.points[point].seed};
    }

    /// Takes the answer from the store, or appends the job to the list. Points with the same
    /// content share a job.
    void plan(SweepJob job, TakeAnswer take) {
        if (const std::optional<WorkerAnswer> answer = store_.find(job.hash)) {
            take(*answer);
            ++stored_;
            return;
        }
        std::vector<TakeAnswer>& takers = takers_[job.hash];
        if (takers.empty()) {
            jobs_.push_back(std::move(job));
        }
        takers.push_back(std::move(take));
    }

    /// Isolated times are few and short, and deadlines depend on them: this machine measures them.
    bool runJobs(bool isMeasuringAlone) {
        const auto limit = options_.cases == nullptr ? std::nullopt : options_.cases->timeout();
        ProcessRunner here(ProcessPool(options_.program, options_.jobs, options_.stop, limit));
        StoredRunner stored;
        JobRunner& runner = options_.isMerging                               ? stored
                            : isMeasuringAlone || options_.runner == nullptr ? here
                                                                             : *options_.runner;
        SweepProgress progress{.isMeasuringAlone = isMeasuringAlone, .count = jobs_.size()};
        if (options_.onProgress && !jobs_.empty()) {
            options_.onProgress(progress);
        }
        const bool isWhole =
                runner.run(jobs_, store_, [&](std::size_t i, const WorkerAnswer& answer) {
                    if (!answer.error.empty() && !options_.isMerging) {
                        store_.putFailure(jobs_[i].hash, answer.error);
                    }
                    for (const TakeAnswer& take : takers_[jobs_[i].hash]) {
                        take(answer);
                    }
                    ++progress.done;
                    progress.failed += isGood(answer) ? 0 : 1;
                    if (options_.onProgress) {
                        options_.onProgress(progress);
                    }
                });
        jobs_.clear();
        takers_.clear();
        outcome_.isStopped = !isWhole;
        return isWhole;
    }

    const Sweep& sweep_;
    const SweepOptions& options_;
    PointStore store_;
    std::string program_;
    std::map<std::string, hw::NpuConfig> configs_;
    std::vector<Prepared> prepared_;                 // parallel to outcome_.points
    std::map<std::string, IsolatedTimes> isolated_;  // by configuration
    std::vector<SweepJob> jobs_;
    std::map<std::string, std::vector<TakeAnswer>> takers_;  // of a job's answer, by hash
    std::size_t stored_ = 0;
    SweepOutcome outcome_;
};

}  // namespace

SweepOutcome runSweep(const Sweep& sweep, const SweepOptions& options) {
    return SweepRun(sweep, options).run();
}

}  // namespace vnpu::sim
