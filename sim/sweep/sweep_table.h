// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/ci/case_outcome.h"
#include "sim/sweep/run_sweep.h"
#include "sim/sweep/sweep_file.h"

namespace vnpu::sim {

/// A figure over all seeds of a row.
struct Aggregate {
    double mean = 0.0;
    double least = 0.0;
    double most = 0.0;
    std::size_t count = 0;          // seeds with a value
    std::optional<double> ratio{};  // of the mean to the baseline row's
};

struct SweepFailure {
    std::uint64_t seed = 0;
    std::string error;
};

struct AggregatedRow {
    std::size_t row = 0;         // in Sweep::rows
    std::size_t pointCount = 0;  // points without an error
    std::vector<SweepFailure> failures;
    std::map<std::string, Aggregate> figures;
};

/// Rows with at least one completed point, in the order of the sweep.
std::vector<AggregatedRow> aggregate(const Sweep& sweep, const SweepOutcome& outcome);

/// The rows of the outcome as cases. A row fails if one of its points does, and is skipped if one
/// of them was not run.
std::vector<CaseOutcome> casesOf(const Sweep& sweep, const SweepOutcome& outcome);

/// For people: the columns of the sweep, then the failures.
std::string sweepText(const Sweep& sweep, const SweepOutcome& outcome);
/// What the columns of that table mean, a line for each, behind an empty line.
std::string sweepLegend(const Sweep& sweep);
/// The same columns with mean, minimum, maximum and ratio.
std::string sweepCsv(const Sweep& sweep, const SweepOutcome& outcome);
/// Every figure of every point without an error, one line each.
std::string pointsCsv(const Sweep& sweep, const SweepOutcome& outcome);
/// Every figure of every row, for programs.
std::string sweepJson(const Sweep& sweep, const SweepOutcome& outcome);

}  // namespace vnpu::sim
