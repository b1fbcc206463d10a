// SPDX-License-Identifier: Apache-2.0
#include "sim/results/result_store.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "sim/base/error.h"
#include "tests/sim/results/query.h"
#include "tests/support/program.h"
#include "tests/support/text.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::cell;
using vnpu::test::change;
using vnpu::test::contains;
using vnpu::test::query;
using vnpu::test::TemporaryFolder;

/// The message of the InputError that opening the file throws.
std::string refusal(const std::string& file) {
    try {
        ResultStore store(file);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

void addRun(const std::string& file, const std::string& label, int metrics) {
    ResultStore store(file);
    RunWriter run(store, {.command = "run", .subject = "s", .label = label});
    for (int i = 0; i < metrics; ++i) {
        run.addMetric({"run", "", "q" + std::to_string(i)}, i);
    }
    run.commit();
}

TEST_SUITE_BEGIN("sim/results/result_store");

TEST_CASE("runs are appended, and share the rows about figures") {
    const TemporaryFolder folder;
    const std::string file = folder / "r.sqlite";
    addRun(file, "a", 2);
    addRun(file, "b", 3);
    CHECK(query(file, "SELECT id, command, subject, label, config, seed FROM run") ==
          std::vector<std::vector<std::string>>{{"1", "run", "s", "a", "NULL", "NULL"},
                                                {"2", "run", "s", "b", "NULL", "NULL"}});
    CHECK(cell(file, "SELECT count(*) FROM figure") == "3");
    CHECK(query(file, "SELECT quantity, value FROM metric WHERE run_id = 2 ORDER BY 1") ==
          std::vector<std::vector<std::string>>{{"q0", "0.0"}, {"q1", "1.0"}, {"q2", "2.0"}});
    CHECK(cell(file,
               "SELECT written_at GLOB '20[0-9][0-9]-[01][0-9]-[0-3][0-9]T*Z' FROM run "
               "WHERE id = 1") == "1");
}

TEST_CASE("a deleted run takes its rows with it") {
    const TemporaryFolder folder;
    const std::string file = folder / "r.sqlite";
    addRun(file, "a", 2);
    addRun(file, "b", 3);
    change(file, "PRAGMA foreign_keys = ON; DELETE FROM run WHERE label = 'a'");
    CHECK(cell(file, "SELECT group_concat(DISTINCT run_id) FROM metric_value") == "2");
}

TEST_CASE("a run without commit() leaves the file as it was") {
    const TemporaryFolder folder;
    const std::string file = folder / "r.sqlite";
    addRun(file, "a", 1);
    {
        ResultStore store(file);
        RunWriter run(store, {.command = "run"});
        run.addMetric({"run", "", "other"}, 1.0);
    }
    CHECK(cell(file, "SELECT count(*) FROM run") == "1");
    CHECK(cell(file, "SELECT count(*) FROM figure") == "1");
}

TEST_CASE("a process that is killed while it writes leaves the file as it was") {
    const TemporaryFolder folder;
    const std::string file = folder / "r.sqlite";
    addRun(file, "a", 1);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ResultStore store(file);
        RunWriter run(store, {.command = "run"});
        for (int i = 0; i < 60'000; ++i) {  // more than SQLite keeps in memory
            run.addMetric({"run", "", "other" + std::to_string(i)}, i);
        }
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    CHECK(std::filesystem::file_size(file + "-journal") > 0);
    addRun(file, "b", 1);
    CHECK(cell(file, "SELECT group_concat(label) FROM run") == "a,b");
    CHECK(cell(file, "SELECT count(*) FROM figure") == "1");
    CHECK(cell(file, "PRAGMA integrity_check") == "ok");
}

TEST_CASE("writers at the same time wait for each other, also for the making of the file") {
    const TemporaryFolder folder;
    const std::string file = folder / "r.sqlite";
    constexpr int kWriters = 4, kRuns = 5, kMetrics = 50;
    std::vector<std::thread> writers;
    for (int i = 0; i < kWriters; ++i) {
        writers.emplace_back([&, i] {
            for (int run = 0; run < kRuns; ++run) {
                addRun(file, std::to_string(i), kMetrics);
            }
        });
    }
    for (std::thread& writer : writers) {
        writer.join();
    }
    CHECK(cell(file, "SELECT count(*) FROM run") == "20");
    CHECK(cell(file, "SELECT count(*) FROM metric_value") == "1000");
    CHECK(cell(file, "SELECT count(*) FROM figure") == "50");
    CHECK(cell(file, "PRAGMA integrity_check") == "ok");
}

TEST_CASE("seeds keep all 64 bits") {
    const TemporaryFolder folder;
    const std::string file = folder / "r.sqlite";
    ResultStore store(file);
    for (const std::uint64_t seed : {std::uint64_t{7}, std::uint64_t{9223372036854775807U},
                                     std::uint64_t{9223372036854775808U}, UINT64_MAX}) {
        RunWriter(store, {.command = "run", .seed = seed}).commit();
    }
    CHECK(query(file, "SELECT seed, typeof(seed) FROM run ORDER BY id") ==
          std::vector<std::vector<std::string>>{{"7", "integer"},
                                                {"9223372036854775807", "integer"},
                                                {"9223372036854775808", "text"},
                                                {"18446744073709551615", "text"}});
}

TEST_CASE("lines of CSV get the types of the columns, and empty cells become null") {
    const TemporaryFolder folder;
    const std::string file = folder / "r.sqlite";
    ResultStore store(file);
    RunWriter run(store, {.command = "run"});
    run.addCsv("layer", "client,operation,name,cycles,macs\nc,0,\"a,1\",12.5,\nc,1,2,3,4\n");
    run.commit();
    CHECK(query(file,
                "SELECT operation, typeof(operation), name, typeof(name), cycles, "
                "typeof(cycles), macs FROM layer") ==
          std::vector<std::vector<std::string>>{
                  {"0", "integer", "a,1", "text", "12.5", "real", "NULL"},
                  {"1", "integer", "2", "text", "3.0", "real", "4.0"}});
}

TEST_CASE("files that are not ours are refused and not changed") {
    const TemporaryFolder folder;
    SUBCASE("a text") {
        const std::string file = folder / "a.txt";
        const std::string text(5000, 'x');
        vnpu::test::writeFile(file, text);
        CHECK(refusal(file) == file + ": file is not a database, expected an SQLite database or a "
                                      "file that does not exist");
        CHECK(vnpu::test::readFile(file) == text);
    }
    SUBCASE("a database of others") {
        const std::string file = folder / "other.sqlite";
        vnpu::test::writeFile(file, "");
        change(file, "CREATE TABLE mine (a)");
        CHECK(contains(refusal(file),
                       "the database has the application id 0x0, expected "
                       "0x766e7075 (results of vnpu) or a new file"));
        CHECK(cell(file, "SELECT group_concat(name) FROM sqlite_schema") == "mine");
    }
    SUBCASE("a later schema") {
        const std::string file = folder / "later.sqlite";
        addRun(file, "a", 1);
        change(file, "PRAGMA user_version = 2");
        CHECK(refusal(file) == file + ": the results have the schema version 2, expected 1; write "
                                      "to a new file or use another version of vnpu");
    }
    SUBCASE("a folder") {
        CHECK(contains(refusal(folder.path()),
                       "unable to open database file, expected a file that "
                       "can be read and written"));
    }
    SUBCASE("no such folder") {
        CHECK(contains(refusal(folder / "none/r.sqlite"), "unable to open database file"));
    }
}

TEST_CASE("a damaged file is refused") {
    const TemporaryFolder folder;
    const std::string file = folder / "r.sqlite";
    addRun(file, "a", 2000);
    std::string bytes = vnpu::test::readFile(file);
    REQUIRE(bytes.size() > 20000);
    for (std::size_t i = 4096; i < bytes.size(); ++i) {
        bytes[i] = static_cast<char>(i * 31);
    }
    vnpu::test::writeFile(file, bytes);
    std::string message = "no error";
    try {
        addRun(file, "b", 2000);
    } catch (const InputError& error) {
        message = error.what();
    }
    CAPTURE(message);
    CHECK(contains(message, "malformed"));
    CHECK(contains(message, "expected an undamaged database"));
}

TEST_SUITE_END();

}  // namespace
