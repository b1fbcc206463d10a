// SPDX-License-Identifier: Apache-2.0
// --sqlite of the commands, tried as a user does, against the files of the same run.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "sim/compare/csv_text.h"
#include "tests/sim/results/query.h"
#include "tests/support/program.h"
#include "tests/support/source_folder.h"
#include "tests/support/text.h"

namespace {

using vnpu::sim::csvCells;
using vnpu::test::cell;
using vnpu::test::change;
using vnpu::test::CommandFolder;
using vnpu::test::contains;
using vnpu::test::query;
using Rows = std::vector<std::vector<std::string>>;

const char* const kSweep = R"(
[sweep]
name = "small"
seeds = 2
columns = ["antt"]

[[axis]]
key = "client.keyword.rate_hz"
values = [100, 2000]

[scenario]
name = "small"
duration = "10 ms"
config = "edge"

[[client]]
name = "keyword"
uid = 10101
model = "zoo:ds_cnn"
priority = "high"
arrival = "poisson"
rate_hz = 1000

[[client]]
name = "loop"
uid = 10102
model = "zoo:ds_cnn"
arrival = "closed_loop"
)";

double number(const std::string& text) {
    return std::strtod(text.c_str(), nullptr);
}

/// Whether a cell of the database is that of the CSV file: nothing is null, numbers are equal.
bool isSame(const std::string& stored, const std::string& written) {
    return written.empty()
                   ? stored == "NULL"
                   : stored == written ||
                             (number(stored) == number(written) &&
                              stored.find_first_not_of("0123456789.e-+") == std::string::npos);
}

/// Compares all cells of a table with those of the CSV file, whose first line names the columns.
/// `key`: the column whose values differ between the rows of a client.
void checkTable(const std::string& file, const std::string& table, const std::string& key,
                const std::string& csv) {
    Rows lines = csvCells(csv, table);
    const std::vector<std::string> columns = lines.front();
    const auto keyAt = std::ranges::find(columns, key) - columns.begin();
    lines.erase(lines.begin());
    REQUIRE(lines.size() > 2);
    for (const auto& line : lines) {
        const Rows stored =
                query(file, fmt::format("SELECT {} FROM {} WHERE client = '{}' AND {} = {}",
                                        fmt::join(columns, ", "), table, line[0], key,
                                        line[static_cast<std::size_t>(keyAt)]));
        REQUIRE(stored.size() == 1);
        for (std::size_t i = 0; i < line.size(); ++i) {
            CHECK_MESSAGE(isSame(stored[0][i], line[i]), table, " ", columns[i], ": ", stored[0][i],
                          " for ", line[i]);
        }
    }
    CHECK(cell(file, "SELECT count(*) FROM " + table) == fmt::format("{}", lines.size()));
}

/// The queries of the README, with the names of the test's scenario and run numbers of its file.
std::vector<std::string> queriesOfReadme() {
    const std::string text =
            vnpu::test::readFile(vnpu::test::sourceFolder() / "sim/results/README.md");
    std::vector<std::string> queries;
    const std::string begin = "```sql\n";
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
        at += begin.size();
        std::string one = text.substr(at, text.find("```", at) - at);
        one = std::regex_replace(one, std::regex("'default'"), "'small'");
        queries.push_back(std::regex_replace(one, std::regex("'camera'"), "'loop'"));
    }
    REQUIRE(queries.size() == 3);
    return queries;
}

TEST_SUITE_BEGIN("sim/results/command");

TEST_CASE("run: the tables hold the figures of metrics.json, layers.csv and jobs.csv") {
    const CommandFolder folder;
    const std::string scenario = folder.write("small.toml", kSweep);
    const std::string file = folder / "r.sqlite";
    REQUIRE(folder.run(fmt::format("run {} --out {} --sqlite {} --label 'commit 1' --seed 5",
                                   scenario, folder / "a", file)) == 0);
    const auto metrics = nlohmann::json::parse(folder.read("a/metrics.json"));

    const Rows run =
            query(file, "SELECT command, subject, label, seed, config, arguments FROM run");
    REQUIRE(run.size() == 1);
    CHECK(Rows{{run[0].begin(), run[0].begin() + 4}} == Rows{{"run", "small", "commit 1", "5"}});
    CHECK(nlohmann::json::parse(run[0][4]) == metrics["config"]);
    CHECK(contains(run[0][5], "run " + scenario + " --out "));

    const auto metric = [&](const char* kind, const char* name, const char* quantity) {
        return number(cell(file, fmt::format("SELECT value FROM metric WHERE kind = '{}' AND name "
                                             "= '{}' AND quantity = '{}'",
                                             kind, name, quantity)));
    };
    const auto& keyword = metrics["clients"][0];
    const auto& figures = metrics["scheduling"]["figures"];
    CHECK(metric("client", "keyword", "latency_ms.p99") ==
          doctest::Approx(keyword["latency_ms"]["p99"].get<double>()).epsilon(1e-12));
    CHECK(metric("client", "keyword", "frames.answered") == keyword["frames"]["answered"]);
    CHECK(metric("client", "keyword", "energy_per_job.total") ==
          doctest::Approx(keyword["energy_per_job"]["total"].get<double>()).epsilon(1e-12));
    CHECK(metric("priority", "high", "executions") == figures["executions.high"]);
    CHECK(metric("client", "loop", "ntt") ==
          doctest::Approx(figures["ntt[loop]"].get<double>()).epsilon(1e-12));
    CHECK(metric("run", "", "window_ns") == metrics["window_ns"]);
    CHECK(metric("run", "", "dram.bytes") == metrics["dram"]["bytes"]);
    const auto& engine = metrics["engines"][0];
    CHECK(metric("engine", engine["name"].get<std::string>().c_str(), "busy_cycles") ==
          engine["busy_cycles"]);
    // Every figure that exists, and the parts of every client.
    const auto present =
            std::ranges::count_if(figures, [](const auto& f) { return f.is_number(); });
    CHECK(cell(file,
               "SELECT count(*) FROM metric WHERE quantity NOT LIKE '%.%' AND kind IN "
               "('priority', 'app')") ==
          fmt::format("{}", std::ranges::count_if(figures.items(), [](const auto& item) {
                          return item.value().is_number() &&
                                 item.key().find_first_of(".@") != std::string::npos &&
                                 item.key().find('[') == std::string::npos;
                      })));
    CHECK(number(cell(file, "SELECT count(*) FROM metric")) > static_cast<double>(present));

    CHECK(query(file, "SELECT name, model, priority, output_hash FROM client ORDER BY name") ==
          Rows{{"keyword", "zoo:ds_cnn", "high", keyword["output_hash"].get<std::string>()},
               {"loop", "zoo:ds_cnn", "medium",
                metrics["clients"][1]["output_hash"].get<std::string>()}});
    checkTable(file, "layer", "operation", folder.read("a/layers.csv"));
    checkTable(file, "job", "frame", folder.read("a/jobs.csv"));
    CHECK(cell(file, "SELECT count(*) FROM case_result WHERE verdict = 'passed'") == "3");
}

TEST_CASE("sweep: all values of points.csv, and --sqlite changes no other file") {
    const CommandFolder folder;
    const std::string sweep = folder.write("small.toml", kSweep);
    const std::string file = folder / "r.sqlite";
    REQUIRE(folder.run(fmt::format("sweep {} --out {}", sweep, folder / "a")) == 0);
    REQUIRE(folder.run(fmt::format("sweep {} --out {} --sqlite {}", sweep, folder / "a", file)) ==
            0);
    const std::string csv = folder.read("a/points.csv");
    REQUIRE(folder.run(fmt::format("sweep {} --out {}", sweep, folder / "b")) == 0);
    CHECK(csv == folder.read("b/points.csv"));

    // The name of a figure in the CSV, from its parts in the database.
    std::map<std::string, std::string> stored;
    for (const auto& row :
         query(file,
               "SELECT label, seed, kind, name, quantity, value FROM point_figure JOIN "
               "point_axis USING (run_id, row) WHERE axis = 'rate_hz'")) {
        const std::string name = row[2] == "client"     ? row[4] + "[" + row[3] + "]"
                                 : row[2] == "app"      ? row[4] + "@" + row[3]
                                 : row[2] == "priority" ? row[4] + "." + row[3]
                                                        : row[4];
        stored[row[0] + " " + row[1] + " " + name] = row[5];
    }
    const Rows lines = csvCells(csv, "points.csv");
    REQUIRE(lines.size() == 5);
    REQUIRE(lines[0][0] == "rate_hz");
    std::size_t values = 0;
    for (std::size_t line = 1; line < lines.size(); ++line) {
        for (std::size_t i = 2; i < lines[line].size(); ++i) {
            const std::string key = lines[line][0] + " " + lines[line][1] + " " + lines[0][i];
            if (lines[line][i].empty()) {
                CHECK_MESSAGE(!stored.contains(key), key);
                continue;
            }
            ++values;
            CHECK_MESSAGE(
                    number(stored[key]) == doctest::Approx(number(lines[line][i])).epsilon(1e-12),
                    key);
        }
    }
    CHECK(values > 200);
    CHECK(cell(file, "SELECT count(*) FROM point_value") == fmt::format("{}", values));
    CHECK(cell(file, "SELECT count(*) FROM point") == "4");
}

TEST_CASE("the queries of the README, on runs that two processes append at the same time") {
    const CommandFolder folder;
    const std::string sweep = folder.write("small.toml", kSweep);
    const std::string file = folder / "r.sqlite";
    const std::string run = fmt::format("{} run {} --no-isolated --no-html --sqlite {} --out {}/",
                                        VNPU_PROGRAM, sweep, file, folder / "");
    REQUIRE(folder.system(run + "a & first=$!; " + run + "b && wait $first") == 0);
    REQUIRE(folder.run(fmt::format("sweep {} --out {} --sqlite {}", sweep, folder / "c", file)) ==
            0);
    const std::vector<std::string> queries = queriesOfReadme();

    const double p99 = nlohmann::json::parse(folder.read("a/metrics.json"))
                               .at("clients")[1]["latency_ms"]["p99"]
                               .get<double>();
    const Rows latencies = query(file, queries[0]);
    REQUIRE(latencies.size() == 2);
    for (const auto& row : latencies) {
        CHECK(number(row[2]) == doctest::Approx(p99).epsilon(1e-12));
    }
    CHECK(query(file, queries[1]).empty());
    change(file,
           "UPDATE layer SET cycles = 2 * cycles WHERE run_id = 2 AND client = 'loop' AND "
           "operation = 0");
    const Rows slower = query(file, queries[1]);
    REQUIRE(slower.size() == 1);
    CHECK(slower[0][0] == "loop");
    CHECK(number(slower[0][4]) == 2 * number(slower[0][3]));

    const Rows lines = csvCells(folder.read("c/sweep.csv"), "sweep.csv");
    const Rows figures = query(file, queries[2]);
    REQUIRE(figures.size() == 2);
    for (std::size_t row = 0; row < 2; ++row) {
        CHECK(figures[row][1] == lines[row + 1][0]);
        for (std::size_t i : {2, 3, 4}) {  // mean, least, most
            CHECK(number(figures[row][i]) ==
                  doctest::Approx(number(lines[row + 1][i])).epsilon(1e-12));
        }
    }
}

TEST_CASE("a wrong file ends a command before its work, with exit code 2") {
    const CommandFolder folder;
    const std::string scenario = folder.write("small.toml", kSweep);
    const std::string text = folder.write("text.txt", std::string(2000, 'x'));
    for (const char* command : {"run", "sweep"}) {
        CHECK(folder.run(fmt::format("{} {} --out {} --sqlite {}", command, scenario, folder / "a",
                                     text)) == 2);
        CHECK(folder.read("err") == fmt::format("vnpu: --sqlite {}: file is not a database, "
                                                "expected an SQLite database or a file that does "
                                                "not exist\n",
                                                text));
    }
    CHECK(folder.read("a/metrics.json").empty());
    CHECK(folder.run(fmt::format("run {} --label x", scenario)) == 2);
}

TEST_SUITE_END();

}  // namespace
