// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ci/case_outcome.h"
#include "sim/scenario/scenario.h"

namespace vnpu::sim {

/// One combination of the values of the axes: a row of the table. It is run once with every seed.
struct SweepRow {
    std::vector<std::string> labels;      // one per axis
    std::string scenario;                 // TOML text
    std::optional<std::size_t> baseline;  // index of the row for comparison

    /// "policy=tokens mechanism=none"
    std::string describe(const std::vector<std::string>& axes) const;
};

/// A sweep file: a base scenario and the changes of its rows.
struct Sweep {
    std::string name;
    std::string file;  // of the base scenario, for messages and relative paths
    std::vector<std::string> axes;
    std::vector<std::uint64_t> seeds;
    std::vector<std::string> columns;  // figures that the table shows
    std::vector<SweepRow> rows;        // the first axis changes slowest
};

/// A row as a case: its suite is the sweep, its name SweepRow::describe().
CaseName caseNameOf(const Sweep& sweep, std::size_t row);

/// A shipped sweep by name or a TOML file by path; every row is checked as a scenario. Throws
/// InputError with file, line and what was expected.
Sweep loadSweep(const std::string& nameOrPath);

/// As loadSweep, from TOML text; `file` is the name in messages.
Sweep parseSweep(std::string_view text, const std::string& file);

}  // namespace vnpu::sim
