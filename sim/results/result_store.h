// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/metrics/figure_name.h"
#include "sim/results/database.h"

namespace vnpu::sim {

/// What a file of results says about a run of a command.
struct StoredRun {
    std::string command;                  // "run", "sweep", ...
    std::string subject{};                // the scenario's or sweep's name
    std::string label{};                  // the user's name of the run, such as a commit
    std::optional<std::string> config{};  // the device as JSON
    std::optional<std::uint64_t> seed{};
};

/// A file of results, into which runs of many commits are appended: an SQLite database with the
/// tables of schema.h. Several processes may append at the same time. One thread.
class ResultStore {
  public:
    /// Makes the file, or checks that it is one. Throws InputError for a file that cannot be
    /// written, is damaged, is not ours, or has a later schema.
    explicit ResultStore(const std::string& file);

  private:
    friend class RunWriter;

    void checkOrMake();

    Database database_;
};

/// One run, which is in the file completely after commit(), or not at all. All functions throw as
/// ResultStore's constructor.
class RunWriter {
  public:
    /// Adds the row of the run, with the present time and the command line of this process. Other
    /// processes wait until it ends.
    RunWriter(ResultStore& store, const StoredRun& run);

    std::int64_t id() const { return id_; }
    Database& database() { return store_.database_; }
    /// The id of the row about a figure, which is added if there is none.
    std::int64_t figure(const FigureName& name);
    /// Adds a number of the run.
    void addMetric(const FigureName& name, double value);
    /// Adds the lines of a CSV text to a table that has its columns; empty cells become null.
    void addCsv(const std::string& table, std::string_view text);
    void commit();

  private:
    ResultStore& store_;
    Transaction transaction_;
    std::map<FigureName, std::int64_t> figures_;
    Statement findFigure_;
    Statement addFigure_;
    Statement addMetric_;
    std::int64_t id_ = 0;
};

}  // namespace vnpu::sim
