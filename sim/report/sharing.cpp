// SPDX-License-Identifier: Apache-2.0
#include "sim/report/sharing.h"

#include <fmt/format.h>

#include <optional>

#include "sim/base/text_table.h"
#include "sim/metrics/collect_records.h"
#include "sim/metrics/figures.h"

namespace vnpu::sim {

namespace {

constexpr std::size_t kShownSla = 4 - kFirstSlaFactor;  // chosen: PREMA's tables show 4

std::string orDash(std::optional<double> value) {
    return value ? fmt::format("{:.3f}", *value) : "-";
}

std::string percent(std::optional<double> share) {
    return share ? fmt::format("{:.1f} %", 100.0 * *share) : "-";
}

std::string millisecondsText(std::uint64_t timeNs) {
    return fmt::format("{:.3f}", static_cast<double>(timeNs) * 1e-6);
}

std::string priorityTable(const SchedulingMetrics& metrics) {
    TextTable table({"priority"},
                    {"frames", "P50 ms", "P95 ms", "P99 ms", "turnaround", "beyond 4x", "refused",
                     "aborted", "late", "preempted", "restarted", "saved KiB"});
    for (const auto& [priority, figures] : metrics.byPriority) {
        table.add(nameOf(priority), figures.executions, millisecondsText(figures.p50Ns),
                  millisecondsText(figures.p95Ns), millisecondsText(figures.p99Ns),
                  orDash(figures.meanNormalized), percent(figures.slaViolations[kShownSla]),
                  figures.refused, figures.aborted, figures.late, figures.costs.preemptions,
                  figures.costs.restarts, figures.costs.savedBytes / 1024);
    }
    return table.text(2);
}

/// How the apps share the device; empty if there is only one.
std::string appTable(const SchedulingMetrics& metrics) {
    if (metrics.byUid.size() < 2) {
        return {};
    }
    TextTable table({"app (UID)"}, {"frames", "P50 ms", "P99 ms", "share of device time"});
    for (const auto& [uid, figures] : metrics.byUid) {
        table.add(uid, figures.executions, millisecondsText(figures.p50Ns),
                  millisecondsText(figures.p99Ns), percent(deviceShare(figures, metrics)));
    }
    return table.text(2);
}

}  // namespace

Sharing sharingOf(const RunReport& report) {
    Sharing sharing;
    sharing.log =
            collectRecords(report.scenario, report.outcome, report.statistics, report.isolated);
    sharing.metrics = schedulingMetrics(sharing.log);
    return sharing;
}

std::string sharingText(const RunReport& report) {
    const SchedulingMetrics metrics = sharingOf(report).metrics;
    std::string out = fmt::format("sharing (scheduling: {})\n",
                                  describeScheduling(report.scenario.scheduling));
    out += priorityTable(metrics);
    out += appTable(metrics);
    if (metrics.antt) {
        out += fmt::format("  mean normalized turnaround {}, system throughput {}, fairness {}\n",
                           orDash(metrics.antt), orDash(metrics.stp), orDash(metrics.fairness));
    }
    return out;
}

nlohmann::ordered_json sharingJson(const RunReport& report) {
    const Sharing sharing = sharingOf(report);
    nlohmann::ordered_json json;
    json["settings"] = describeScheduling(report.scenario.scheduling);
    json["isolated_ns"] = report.isolated.byKey;
    json["figures"] = nlohmann::ordered_json::object();
    for (const Figure& figure : flatten(sharing.metrics, sharing.log)) {
        json["figures"][figure.name] =
                figure.value ? nlohmann::ordered_json(*figure.value) : nullptr;
    }
    return json;
}

}  // namespace vnpu::sim
