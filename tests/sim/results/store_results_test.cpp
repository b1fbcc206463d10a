// SPDX-License-Identifier: Apache-2.0
#include "sim/results/store_results.h"

#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include "tests/sim/results/query.h"
#include "tests/support/program.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::query;
using vnpu::test::TemporaryFolder;
using Rows = std::vector<std::vector<std::string>>;

TEST_SUITE_BEGIN("sim/results/store_results");

TEST_CASE("points of a sweep in long form, with their axes, errors and figures") {
    Sweep sweep;
    sweep.name = "two";
    sweep.axes = {"kind", "rate"};
    sweep.rows = {{.labels = {"slow", "10"}, .scenario = "", .baseline = {}},
                  {.labels = {"fast", "20"}, .scenario = "", .baseline = {}},
                  {.labels = {"late", "30"}, .scenario = "", .baseline = {}}};
    SweepOutcome outcome;
    outcome.points = {
            {.row = 0,
             .seed = 1,
             .isDone = true,
             .answer = {.figures = {{"antt", 2.5}, {"stp", {}}, {"p99_ms[a]", 0.125}},
                        .failedExecutions = 3}},
            {.row = 1, .seed = UINT64_MAX, .isDone = true, .answer = {.error = "no memory"}},
            {.row = 2, .seed = 1, .isDone = false}};
    const TemporaryFolder folder;
    const std::string file = folder / "r.sqlite";
    ResultStore store(file);
    storeSweep(store, "commit", sweep, outcome, {});

    CHECK(query(file, "SELECT command, subject, label FROM run") ==
          Rows{{"sweep", "two", "commit"}});
    CHECK(query(file, "SELECT row, axis, label FROM point_axis ORDER BY 1, 2") ==
          Rows{{"0", "kind", "slow"},
               {"0", "rate", "10"},
               {"1", "kind", "fast"},
               {"1", "rate", "20"}});
    CHECK(query(file, "SELECT row, seed, error, failed_executions FROM point ORDER BY 1") ==
          Rows{{"0", "1", "NULL", "3"}, {"1", "18446744073709551615", "no memory", "0"}});
    CHECK(query(file,
                "SELECT row, seed, kind, name, quantity, unit, value FROM point_figure "
                "ORDER BY quantity") == Rows{{"0", "1", "run", "", "antt", "NULL", "2.5"},
                                             {"0", "1", "client", "a", "p99_ms", "ms", "0.125"}});
}

TEST_CASE("checks in their order, without a number that does not exist") {
    const std::vector<Check> checks = {{.rung = "r",
                                        .subject = "a on b",
                                        .quantity = "cycles",
                                        .model = 101.0,
                                        .reference = 100.0,
                                        .tolerance = 0.02},
                                       {.rung = "r",
                                        .subject = "a on b",
                                        .quantity = "cycles",
                                        .model = std::numeric_limits<double>::quiet_NaN(),
                                        .reference = 100.0,
                                        .tolerance = 0.0}};
    const TemporaryFolder folder;
    const std::string file = folder / "r.sqlite";
    ResultStore store(file);
    storeChecks(store, "", checks, {});
    CHECK(query(file,
                "SELECT number, rung, subject, quantity, model, reference, tolerance, "
                "verdict FROM check_result ORDER BY number") ==
          Rows{{"0", "r", "a on b", "cycles", "101.0", "100.0", "0.02", "pass"},
               {"1", "r", "a on b", "cycles", "NULL", "100.0", "0.0", "FAIL"}});
}

TEST_CASE("cases with their verdicts and times") {
    JudgedCase one;
    one.outcome.name = {"suite", "name", "file"};
    one.outcome.time = std::chrono::milliseconds(250);
    one.verdict = CaseVerdict::kUnexpectedPass;
    one.runs = 3;
    one.failures = 1;
    one.explanation = "why";
    const TemporaryFolder folder;
    const std::string file = folder / "r.sqlite";
    ResultStore store(file);
    storeCases(store, "", "conform", "vectors", {one});
    CHECK(query(file, "SELECT command, subject FROM run") == Rows{{"conform", "vectors"}});
    CHECK(query(file, "SELECT * FROM case_result") ==
          Rows{{"1", "suite", "name", "file", "unexpected pass", "why", "3", "1", "0.25"}});
}

TEST_SUITE_END();

}  // namespace
