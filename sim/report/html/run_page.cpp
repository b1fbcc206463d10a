// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/run_page.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "hw_model/timing/config_fields.h"
#include "sim/report/config_json.h"
#include "sim/report/device_peaks.h"
#include "sim/report/html/html_page.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;
using Coding = PackedColumn::Coding;

/// Texts by number, numbered by their first use.
class TextNumbers {
  public:
    std::uint64_t operator()(const std::string& text) {
        const auto [entry, isNew] = numbers_.emplace(text, texts_.size());
        if (isNew) {
            texts_.push_back(text);
        }
        return entry->second;
    }
    const Json& texts() const { return texts_; }

  private:
    std::map<std::string, std::uint64_t> numbers_;
    Json texts_ = Json::array();
};

/// In jobs.csv, a time of a job without engine work is 0.
std::uint64_t sinceOrZero(std::uint64_t timeNs, std::uint64_t fromNs) {
    return timeNs == 0 ? 0 : timeNs - fromNs + 1;
}

/// The models of the run's jobs, by number.
class ModelNumbers {
  public:
    explicit ModelNumbers(const std::vector<JobStatistics>& jobs) {
        for (const JobStatistics& job : jobs) {
            if (job.model != nullptr && numbers_.emplace(job.model.get(), count_).second) {
                ++count_;
                models_.push_back(modelJson(*job.model));
            }
        }
    }
    /// Number + 1; 0 for none.
    std::uint64_t of(const JobStatistics& job) const {
        return job.model == nullptr ? 0 : numbers_.at(job.model.get()) + 1;
    }
    const Json& json() const { return models_; }

  private:
    static Json modelJson(const ModelInfo& model) {
        Json types = Json::array();
        for (const OperationInfo& operation : model.operations) {
            types.push_back(operation.type);
        }
        return {{"types", types}, {"estimated_cycles", model.estimatedCycles}};
    }

    std::map<const ModelInfo*, std::uint64_t> numbers_;
    std::uint64_t count_ = 0;
    Json models_ = Json::array();
};

Json jobsJson(const std::vector<JobStatistics>& jobs, const ModelNumbers& models) {
    PackedColumn id(Coding::kDelta), submitNs(Coding::kDelta);
    PackedColumn client, frame, model, start, finish, complete, status, deviceCycles;
    PackedColumn preemptions, restarts, savedBytes, reloadedBytes, switchCycles, wastedCycles;
    TextNumbers statuses;
    for (const JobStatistics& job : jobs) {
        id.add(job.jobId);
        submitNs.add(job.submitNs);
        client.add(job.client == kNoClient ? 0 : job.client + 1ULL);
        frame.add(job.frame == kNoFrame ? 0 : job.frame + 1);
        model.add(models.of(job));
        start.add(sinceOrZero(job.startNs, job.submitNs));
        finish.add(sinceOrZero(job.finishNs, job.submitNs));
        complete.add(sinceOrZero(job.completeNs, job.submitNs));
        status.add(statuses(job.status));
        deviceCycles.add(job.deviceCycles);
        preemptions.add(job.costs.preemptions);
        restarts.add(job.costs.restarts);
        savedBytes.add(job.costs.savedBytes);
        reloadedBytes.add(job.costs.reloadedBytes);
        switchCycles.add(job.costs.switchCycles);
        wastedCycles.add(job.costs.wastedCycles);
    }
    return {{"statuses", statuses.texts()},
            {"id", id.json()},
            {"submit_ns", submitNs.json()},
            {"client", client.json()},
            {"frame", frame.json()},
            {"model", model.json()},
            {"start_after", start.json()},
            {"finish_after", finish.json()},
            {"complete_after", complete.json()},
            {"status", status.json()},
            {"device_cycles", deviceCycles.json()},
            {"preemptions", preemptions.json()},
            {"restarts", restarts.json()},
            {"saved_bytes", savedBytes.json()},
            {"reloaded_bytes", reloadedBytes.json()},
            {"switch_cycles", switchCycles.json()},
            {"wasted_cycles", wastedCycles.json()}};
}

Json framesJson(const RunReport& report) {
    std::map<const JobStatistics*, std::uint64_t> numbers;
    const std::vector<JobStatistics>& jobs = report.statistics.jobs();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        numbers.emplace(&jobs[i], i + 1);
    }
    const auto jobsByFrame = report.statistics.jobsByFrame();
    PackedColumn number(Coding::kDelta), arrivalNs(Coding::kDelta), job(Coding::kDelta);
    PackedColumn client, callAfter, returnAfter, status, flags;
    TextNumbers statuses;
    for (const FrameRecord& frame : report.outcome.frames) {
        const auto found = jobsByFrame.find({frame.client, frame.frame});
        client.add(frame.client);
        number.add(frame.frame);
        arrivalNs.add(frame.arrivalNs);
        callAfter.add(frame.callNs - frame.arrivalNs);
        returnAfter.add(frame.latencyNs());
        status.add(statuses(frame.status));
        flags.add((frame.isOk ? 1U : 0U) | (frame.missedDeadline ? 2U : 0U) |
                  (frame.isRefused ? 4U : 0U) | (frame.isLate ? 8U : 0U));
        job.add(found == jobsByFrame.end() ? 0 : numbers.at(found->second));
    }
    return {{"statuses", statuses.texts()},
            {"client", client.json()},
            {"frame", number.json()},
            {"arrival_ns", arrivalNs.json()},
            {"call_after", callAfter.json()},
            {"return_after", returnAfter.json()},
            {"status", status.json()},
            {"flags", flags.json()},
            {"job", job.json()}};
}

Json clientsJson(const RunReport& report) {
    Json clients = Json::array();
    for (std::size_t i = 0; i < report.clients().size(); ++i) {
        const ClientSpec& spec = report.scenario.clients[i];
        clients.push_back({{"operations", report.clients()[i].operationNames},
                           {"deadline_ns", spec.deadlineNs},
                           {"isolated_ns", report.isolated.of(spec)}});
    }
    return clients;
}

/// Every key of the device's configuration: table, key, value, unit.
Json settingsJson(const hw::NpuConfig& config) {
    const Json values = configJson(config);
    Json settings = Json::array();
    visitUsedFields(config, [&](const hw::ConfigField& field, const auto& /*value*/) {
        const Json& table = field.isTopLevel() ? values : values[field.table];
        settings.push_back({field.table, field.key, table[field.key], field.unit});
    });
    return settings;
}

Json linesJson(const std::vector<Statistics::LogLine>& lines) {
    Json json = Json::array();
    for (const Statistics::LogLine& line : lines) {
        json.push_back({line.timeNs, line.text});
    }
    return json;
}

}  // namespace

Json runPageData(const RunReport& report, const TimelineColumns& timeline) {
    const ModelNumbers models(report.statistics.jobs());
    Json data;
    data["kind"] = "run";
    data["device"] = describeDevice(report.config);
    data["scheduling"] = describeScheduling(report.scenario.scheduling);
    data["metrics"] = metricsObject(report);
    data["clients"] = clientsJson(report);
    data["layers"] = layersCsv(report);
    data["models"] = models.json();
    data["jobs"] = jobsJson(report.statistics.jobs(), models);
    data["frames"] = framesJson(report);
    data["settings"] = settingsJson(report.config);
    data["log"] = linesJson(report.statistics.log());
    data["faults"] = linesJson(report.statistics.faults());
    data["timeline"] = timeline.json();
    return data;
}

std::string runPage(const RunReport& report, const TimelineColumns& timeline) {
    return htmlPage("vnpu run: " + report.scenario.name, runPageData(report, timeline));
}

}  // namespace vnpu::sim
