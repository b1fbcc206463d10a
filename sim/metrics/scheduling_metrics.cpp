// SPDX-License-Identifier: Apache-2.0
#include "sim/metrics/scheduling_metrics.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/percentile.h"

namespace vnpu::sim {

namespace {

/// The sum of a figure of the programs; empty without programs.
template <typename Value>
std::optional<double> sumOver(std::span<const Program> programs, const Value& value) {
    double sum = 0.0;
    for (const Program& program : programs) {
        sum += value(program);
    }
    return programs.empty() ? std::nullopt : std::optional(sum);
}

/// The progress of a program relative to its share, which is its weight over the sum of all
/// weights.
double progressForShare(const Program& program, double weights) {
    return weights / (program.normalizedTurnaround * program.weight);
}

void addTurnarounds(std::span<const ExecutionRecord> records, ExecutionFigures& figures) {
    std::vector<std::uint64_t> turnarounds;
    double sum = 0.0;
    double normalized = 0.0;
    std::size_t normalizedCount = 0;
    for (const ExecutionRecord& record : records) {
        if (record.end != ExecutionEnd::kDone) {
            continue;
        }
        turnarounds.push_back(record.turnaroundNs());
        sum += static_cast<double>(record.turnaroundNs());
        if (const std::optional<double> value = normalizedTurnaround(record)) {
            normalized += *value;
            ++normalizedCount;
        }
    }
    if (turnarounds.empty()) {
        return;
    }
    std::sort(turnarounds.begin(), turnarounds.end());
    figures.p50Ns = nearestRank(turnarounds, 50.0);
    figures.p95Ns = nearestRank(turnarounds, 95.0);
    figures.p99Ns = nearestRank(turnarounds, 99.0);
    figures.maxNs = turnarounds.back();
    figures.meanNs = sum / static_cast<double>(turnarounds.size());
    if (normalizedCount != 0) {
        figures.meanNormalized = normalized / static_cast<double>(normalizedCount);
    }
}

void count(const ExecutionRecord& record, ExecutionFigures& figures) {
    const bool isDone = record.end == ExecutionEnd::kDone;
    const bool isMissed = record.end == ExecutionEnd::kMissed;
    ++figures.executions;
    figures.done += isDone ? 1 : 0;
    figures.failed += record.end == ExecutionEnd::kFailed ? 1 : 0;
    figures.withDeadline += record.deadlineNs != 0 ? 1 : 0;
    figures.refused += isMissed && !record.isAdmitted ? 1 : 0;
    figures.aborted += isMissed && record.isAdmitted ? 1 : 0;
    figures.late += isDone && record.deadlineNs != 0 && record.finishNs > record.deadlineNs ? 1 : 0;
    const RefusalVerdict verdict = record.refusal.value_or(RefusalVerdict::kNotJudged);
    figures.judgedRefusals += verdict != RefusalVerdict::kNotJudged ? 1 : 0;
    figures.wrongRefusals += verdict == RefusalVerdict::kWrong ? 1 : 0;
    figures.costs += record.costs;
}

}  // namespace

std::optional<double> normalizedTurnaround(const ExecutionRecord& record) {
    if (record.end != ExecutionEnd::kDone || record.isolatedNs == 0) {
        return std::nullopt;
    }
    return static_cast<double>(record.turnaroundNs()) / static_cast<double>(record.isolatedNs);
}

double priorityWeight(ClientPriority priority) {
    constexpr double kWeights[] = {1.0, 3.0, 9.0};
    return kWeights[static_cast<std::size_t>(priority)];
}

std::vector<Program> programsOf(const ExecutionLog& log) {
    std::vector<double> sums(log.clients.size());
    std::vector<double> counts(log.clients.size());
    for (const ExecutionRecord& record : log.records) {
        if (const std::optional<double> value = normalizedTurnaround(record)) {
            sums[record.client] += *value;
            counts[record.client] += 1.0;
        }
    }
    std::vector<Program> programs;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (counts[i] > 0.0) {
            programs.push_back({.normalizedTurnaround = sums[i] / counts[i],
                                .weight = priorityWeight(log.clients[i].priority)});
        }
    }
    return programs;
}

std::optional<double> averageNormalizedTurnaround(std::span<const Program> programs) {
    const auto sum = sumOver(programs, [](const Program& p) { return p.normalizedTurnaround; });
    return sum ? std::optional(*sum / static_cast<double>(programs.size())) : std::nullopt;
}

std::optional<double> systemThroughput(std::span<const Program> programs) {
    return sumOver(programs, [](const Program& p) { return 1.0 / p.normalizedTurnaround; });
}

std::optional<double> fairness(std::span<const Program> programs) {
    const auto weights = sumOver(programs, [](const Program& p) { return p.weight; });
    if (!weights) {
        return std::nullopt;
    }
    double least = progressForShare(programs.front(), *weights);
    double most = least;
    for (const Program& program : programs) {
        least = std::min(least, progressForShare(program, *weights));
        most = std::max(most, progressForShare(program, *weights));
    }
    return least / most;
}

std::optional<double> slaViolation(std::span<const ExecutionRecord> records, double factor) {
    std::size_t known = 0;
    std::size_t violated = 0;
    for (const ExecutionRecord& record : records) {
        if (record.isolatedNs == 0) {
            continue;
        }
        ++known;
        const bool isInTime = record.end == ExecutionEnd::kDone &&
                              static_cast<double>(record.turnaroundNs()) <=
                                      factor * static_cast<double>(record.isolatedNs);
        violated += isInTime ? 0 : 1;
    }
    return known == 0 ? std::nullopt
                      : std::optional(static_cast<double>(violated) / static_cast<double>(known));
}

ExecutionFigures figuresOf(std::span<const ExecutionRecord> records) {
    ExecutionFigures figures;
    for (const ExecutionRecord& record : records) {
        count(record, figures);
    }
    addTurnarounds(records, figures);
    for (int factor = kFirstSlaFactor; factor <= kLastSlaFactor; ++factor) {
        figures.slaViolations[static_cast<std::size_t>(factor - kFirstSlaFactor)] =
                slaViolation(records, factor);
    }
    return figures;
}

SchedulingMetrics schedulingMetrics(const ExecutionLog& log) {
    std::vector<std::vector<ExecutionRecord>> ofClient(log.clients.size());
    std::map<ClientPriority, std::vector<ExecutionRecord>> ofPriority;
    std::map<std::uint32_t, std::vector<ExecutionRecord>> ofUid;
    for (const ExecutionLog::Client& client : log.clients) {
        ofPriority[client.priority];
        ofUid[client.uid];
    }
    for (const ExecutionRecord& record : log.records) {
        ofClient[record.client].push_back(record);
        ofPriority[log.clients[record.client].priority].push_back(record);
        ofUid[log.clients[record.client].uid].push_back(record);
    }
    const std::vector<Program> programs = programsOf(log);
    SchedulingMetrics metrics{.antt = averageNormalizedTurnaround(programs),
                              .stp = systemThroughput(programs),
                              .fairness = fairness(programs),
                              .spanNs = log.spanNs,
                              .all = figuresOf(log.records)};
    for (const auto& [priority, records] : ofPriority) {
        metrics.byPriority[priority] = figuresOf(records);
    }
    for (const auto& [uid, records] : ofUid) {
        metrics.byUid[uid] = figuresOf(records);
    }
    for (std::size_t i = 0; i < log.clients.size(); ++i) {
        const std::uint64_t unserved = log.clients[i].unserved;
        metrics.byClient.push_back(figuresOf(ofClient[i]));
        metrics.byClient.back().unserved = unserved;
        metrics.byPriority[log.clients[i].priority].unserved += unserved;
        metrics.all.unserved += unserved;
    }
    return metrics;
}

std::optional<double> deviceShare(const ExecutionFigures& figures,
                                  const SchedulingMetrics& metrics) {
    const std::uint64_t all = metrics.all.deviceCycles();
    return all == 0 ? std::nullopt
                    : std::optional(static_cast<double>(figures.deviceCycles()) /
                                    static_cast<double>(all));
}

}  // namespace vnpu::sim
