// SPDX-License-Identifier: Apache-2.0
#include "sim/results/result_store.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/version.h"
#include "sim/compare/csv_text.h"
#include "sim/results/schema.h"

namespace vnpu::sim {

namespace {

/// The command line of this process, with a blank between the arguments.
std::string commandLine() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    while (text.ends_with('\0')) {
        text.pop_back();
    }
    for (char& character : text) {
        character = character == '\0' ? ' ' : character;
    }
    return text;
}

std::string presentTime() {
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

std::string insertion(const std::string& table, const std::vector<std::string>& columns) {
    std::string parameters;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        parameters += ", ?";
    }
    return fmt::format("INSERT INTO {} (run_id, {}) VALUES (?{})", table, fmt::join(columns, ", "),
                       parameters);
}

}  // namespace

ResultStore::ResultStore(const std::string& file) : database_(file) {
    // A reader needs no lock of its own to see that a file is a database.
    Transaction transaction(database_);
    checkOrMake();
    transaction.commit();
    database_.execute("PRAGMA foreign_keys = ON");
}

void ResultStore::checkOrMake() {
    const std::int64_t application = database_.number("PRAGMA application_id");
    const std::int64_t version = database_.number("PRAGMA user_version");
    const std::int64_t tables = database_.number("SELECT count(*) FROM sqlite_schema");
    if (application == 0 && version == 0 && tables == 0) {
        database_.execute(kResultsSchema);
        database_.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                      kResultsApplicationId, kResultsSchemaVersion)
                                  .c_str());
        return;
    }
    if (application != kResultsApplicationId) {
        throw InputError(fmt::format(
                "{}: the database has the application id {:#x}, expected {:#x} (results of vnpu) "
                "or a new file",
                database_.file(), application, kResultsApplicationId));
    }
    if (version != kResultsSchemaVersion) {
        throw InputError(
                fmt::format("{}: the results have the schema version {}, expected {}; write to a "
                            "new file or use another version of vnpu",
                            database_.file(), version, kResultsSchemaVersion));
    }
}

RunWriter::RunWriter(ResultStore& store, const StoredRun& run)
    : store_(store),
      transaction_(store.database_),
      findFigure_(store.database_,
                  "SELECT id FROM figure WHERE kind = ? AND name = ? AND quantity = ?"),
      addFigure_(store.database_,
                 "INSERT INTO figure (kind, name, quantity, unit) VALUES (?, ?, ?, ?)"),
      addMetric_(store.database_,
                 "INSERT INTO metric_value (run_id, figure_id, value) VALUES (?, ?, ?)") {
    // The file may have changed since it was opened.
    store.checkOrMake();
    Statement add(database(),
                  "INSERT INTO run (written_at, command, subject, label, arguments, version, "
                  "config, seed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    add.bind(1, std::string_view(presentTime()));
    add.bind(2, std::string_view(run.command));
    add.bind(3, std::string_view(run.subject));
    add.bind(4, std::string_view(run.label));
    add.bind(5, std::string_view(commandLine()));
    add.bind(6, std::string_view(kVersion));
    if (run.config) {
        add.bind(7, std::string_view(*run.config));
    }
    if (run.seed) {
        add.bind(8, *run.seed);
    }
    add.run();
    id_ = database().lastRow();
}

std::int64_t RunWriter::figure(const FigureName& name) {
    const auto [place, isNew] = figures_.try_emplace(name, 0);
    if (!isNew) {
        return place->second;
    }
    const auto bindName = [&](Statement& statement) {
        statement.bind(1, std::string_view(name.kind));
        statement.bind(2, std::string_view(name.name));
        statement.bind(3, std::string_view(name.quantity));
    };
    bindName(findFigure_);
    const bool isThere = findFigure_.step();
    place->second = isThere ? findFigure_.integer(0) : 0;
    findFigure_.reset();
    if (!isThere) {
        bindName(addFigure_);
        if (const std::string_view unit = unitOf(name.quantity); unit.empty()) {
            addFigure_.bindNull(4);
        } else {
            addFigure_.bind(4, unit);
        }
        addFigure_.run();
        place->second = database().lastRow();
    }
    return place->second;
}

void RunWriter::addMetric(const FigureName& name, double value) {
    addMetric_.bind(1, id_);
    addMetric_.bind(2, figure(name));
    addMetric_.bind(3, value);
    addMetric_.run();
}

void RunWriter::addCsv(const std::string& table, std::string_view text) {
    const std::vector<std::vector<std::string>> lines = csvCells(text, table);
    Statement add(database(), insertion(table, lines.front()));
    for (std::size_t line = 1; line < lines.size(); ++line) {
        add.bind(1, id_);
        for (std::size_t i = 0; i < lines[line].size(); ++i) {
            const std::string& cell = lines[line][i];
            const int parameter = static_cast<int>(i) + 2;
            if (cell.empty()) {
                add.bindNull(parameter);
            } else {
                add.bind(parameter, std::string_view(cell));
            }
        }
        add.run();
    }
}

void RunWriter::commit() {
    transaction_.commit();
}

}  // namespace vnpu::sim
