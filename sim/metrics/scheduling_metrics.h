// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/metrics/execution_record.h"

namespace vnpu::sim {

// The metrics of Eyerman and Eeckhout (IEEE Micro 2008) as Choi and Rhu (HPCA 2020) use them for
// NPUs. C_single is the time of an execution alone, C_multi its turnaround: finish minus arrival. A
// program is a client; with one execution each, these are the metrics of the papers.

/// C_multi / C_single; 1 on a dedicated device. Empty for an execution that is not done or whose
/// isolated time is unknown.
std::optional<double> normalizedTurnaround(const ExecutionRecord& record);

/// A client with the means of its completed executions.
struct Program {
    double normalizedTurnaround = 1.0;
    double weight = 1.0;  // of its priority
};

/// Weight of a priority: 1, 3, 9 from low to high, the tokens that PREMA begins with.
double priorityWeight(ClientPriority priority);

/// Clients with at least one normalized turnaround.
std::vector<Program> programsOf(const ExecutionLog& log);

/// ANTT: the mean normalized turnaround, lower is better. Empty without programs, like all metrics
/// below.
std::optional<double> averageNormalizedTurnaround(std::span<const Program> programs);

/// STP: the sum of the programs' progress C_single / C_multi, higher is better, at most their
/// number.
std::optional<double> systemThroughput(std::span<const Program> programs);

/// The smallest progress, relative to the share of the priorities, over the largest: 1 is fair, 0
/// is not.
std::optional<double> fairness(std::span<const Program> programs);

/// The share of executions without a result within `factor` times their isolated time; refused,
/// aborted and failed executions are included. Empty where no isolated time is known.
std::optional<double> slaViolation(std::span<const ExecutionRecord> records, double factor);

inline constexpr int kFirstSlaFactor = 2;
inline constexpr int kLastSlaFactor = 20;

/// Figures of a set of executions: all, those of a priority, or those of a client.
struct ExecutionFigures {
    std::uint64_t executions = 0;
    std::uint64_t done = 0;
    std::uint64_t failed = 0;
    std::uint64_t unserved = 0;
    std::uint64_t withDeadline = 0;
    std::uint64_t refused = 0;         // at the call, because of their deadline
    std::uint64_t judgedRefusals = 0;  // of those refused by forecast
    std::uint64_t wrongRefusals = 0;   // of those: executions that would have met their deadline
    std::uint64_t aborted = 0;         // later, because of their deadline
    std::uint64_t late = 0;            // done, but after it
    std::uint64_t p50Ns = 0;           // turnaround of the completed ones, as all below
    std::uint64_t p95Ns = 0;
    std::uint64_t p99Ns = 0;
    std::uint64_t maxNs = 0;
    double meanNs = 0.0;
    std::optional<double> meanNormalized;  // turnaround
    std::array<std::optional<double>, kLastSlaFactor - kFirstSlaFactor + 1> slaViolations;
    JobCosts costs;  // sums

    /// The time of their jobs on the device, with the saving and restoring of contexts.
    std::uint64_t deviceCycles() const { return costs.executedCycles + costs.switchCycles; }
    std::uint64_t admitted() const { return withDeadline - refused; }
    std::uint64_t missed() const { return refused + aborted + late; }
};

ExecutionFigures figuresOf(std::span<const ExecutionRecord> records);

struct SchedulingMetrics {
    std::optional<double> antt;
    std::optional<double> stp;
    std::optional<double> fairness;
    std::uint64_t spanNs = 0;
    ExecutionFigures all;
    std::map<ClientPriority, ExecutionFigures> byPriority{};  // those that clients have
    std::map<std::uint32_t, ExecutionFigures> byUid{};
    std::vector<ExecutionFigures> byClient{};
};

SchedulingMetrics schedulingMetrics(const ExecutionLog& log);

/// The part that some executions have of the device time of all.
std::optional<double> deviceShare(const ExecutionFigures& figures,
                                  const SchedulingMetrics& metrics);

}  // namespace vnpu::sim
