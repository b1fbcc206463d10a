// SPDX-License-Identifier: Apache-2.0
#include "sim/metrics/figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/percentile.h"

namespace vnpu::sim {

namespace {

double asDouble(std::uint64_t value) {
    return static_cast<double>(value);
}

double asMilliseconds(std::uint64_t timeNs) {
    return asDouble(timeNs) * 1e-6;
}

std::optional<double> share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? std::nullopt : std::optional(asDouble(part) / asDouble(whole));
}

std::optional<double> meanViolation(const ExecutionFigures& figures) {
    double sum = 0.0;
    for (const std::optional<double>& violation : figures.slaViolations) {
        if (!violation) {
            return std::nullopt;
        }
        sum += *violation;
    }
    return sum / static_cast<double>(figures.slaViolations.size());
}

/// Appends the figures of some executions; `suffix` names them.
void append(std::vector<Figure>& out, const ExecutionFigures& figures,
            const SchedulingMetrics& metrics, const std::string& suffix) {
    const std::uint64_t spanNs = metrics.spanNs;
    const auto add = [&](const char* name, std::optional<double> value) {
        out.push_back({name + suffix, value});
    };
    const auto ifDone = [&](double value) {
        return figures.done == 0 ? std::nullopt : std::optional(value);
    };
    add("executions", asDouble(figures.executions));
    add("done", asDouble(figures.done));
    add("failed", asDouble(figures.failed));
    add("unserved", asDouble(figures.unserved));
    add("rate_hz", spanNs == 0
                           ? std::nullopt
                           : std::optional(asDouble(figures.done) / asMilliseconds(spanNs) * 1e3));
    add("mean_ms", ifDone(figures.meanNs * 1e-6));
    add("p50_ms", ifDone(asMilliseconds(figures.p50Ns)));
    add("p95_ms", ifDone(asMilliseconds(figures.p95Ns)));
    add("p99_ms", ifDone(asMilliseconds(figures.p99Ns)));
    add("max_ms", ifDone(asMilliseconds(figures.maxNs)));
    add("ntt", figures.meanNormalized);
    for (int factor = kFirstSlaFactor; factor <= kLastSlaFactor; ++factor) {
        out.push_back({fmt::format("sla_{}{}", factor, suffix),
                       figures.slaViolations[static_cast<std::size_t>(factor - kFirstSlaFactor)]});
    }
    add("sla_mean", meanViolation(figures));
    add("missed", share(figures.missed(), figures.withDeadline));
    add("refused", asDouble(figures.refused));
    add("aborted", asDouble(figures.aborted));
    add("late", asDouble(figures.late));
    add("wrong_refusals", share(figures.wrongRefusals, figures.judgedRefusals));
    add("wrong_admissions", share(figures.aborted + figures.late, figures.admitted()));
    add("device_share", deviceShare(figures, metrics));
    add("preemptions", asDouble(figures.costs.preemptions));
    add("restarts", asDouble(figures.costs.restarts));
    add("saved_bytes", asDouble(figures.costs.savedBytes));
    add("reloaded_bytes", asDouble(figures.costs.reloadedBytes));
    add("switch_cycles", asDouble(figures.costs.switchCycles));
    add("wasted_cycles", asDouble(figures.costs.wastedCycles));
}

void appendPreemptions(std::vector<Figure>& out, std::vector<std::uint64_t> latenciesNs) {
    std::sort(latenciesNs.begin(), latenciesNs.end());
    const auto add = [&](const char* name, double percent) {
        out.push_back({name, latenciesNs.empty()
                                     ? std::nullopt
                                     : std::optional(asDouble(nearestRank(latenciesNs, percent)) *
                                                     1e-3)});
    };
    add("preempt_p50_us", 50.0);
    add("preempt_p99_us", 99.0);
    add("preempt_max_us", 100.0);
}

}  // namespace

std::vector<Figure> flatten(const SchedulingMetrics& metrics, const ExecutionLog& log) {
    std::vector<Figure> out = {{"antt", metrics.antt},
                               {"stp", metrics.stp},
                               {"fairness", metrics.fairness},
                               {"span_ms", asMilliseconds(metrics.spanNs)}};
    appendPreemptions(out, log.preemptionsNs);
    out.push_back({"wakes", asDouble(log.wakes)});
    out.push_back({"clock_switches", asDouble(log.clockSwitches)});
    out.push_back({"suspended_ms", asMilliseconds(log.suspendedNs)});
    append(out, metrics.all, metrics, "");
    for (const ClientPriority priority :
         {ClientPriority::kLow, ClientPriority::kMedium, ClientPriority::kHigh}) {
        // All three priorities, so that runs whose seed selected other priorities have the same
        // figures.
        const auto found = metrics.byPriority.find(priority);
        append(out, found == metrics.byPriority.end() ? ExecutionFigures{} : found->second, metrics,
               fmt::format(".{}", nameOf(priority)));
    }
    for (const auto& [uid, figures] : metrics.byUid) {
        out.push_back({fmt::format("device_share@{}", uid), deviceShare(figures, metrics)});
    }
    for (std::size_t i = 0; i < metrics.byClient.size(); ++i) {
        append(out, metrics.byClient[i], metrics, fmt::format("[{}]", log.clients[i].name));
    }
    return out;
}

std::vector<std::string> figureNames(const Scenario& scenario) {
    ExecutionLog log;
    for (const ClientSpec& client : scenario.clients) {
        log.clients.push_back(
                {.name = client.name, .uid = client.uid, .priority = client.priority});
    }
    std::vector<std::string> names;
    for (const Figure& figure : flatten(schedulingMetrics(log), log)) {
        names.push_back(figure.name);
    }
    return names;
}

}  // namespace vnpu::sim
