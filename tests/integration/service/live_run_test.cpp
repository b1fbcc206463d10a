// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tests/sim/trace/perfetto_reader.h"
#include "tests/support/program.h"

namespace {

using vnpu::test::findPerfettoError;
using vnpu::test::PerfettoEvent;
using vnpu::test::PerfettoTrace;
using vnpu::test::ProgramResult;
using vnpu::test::readFile;
using vnpu::test::readPerfetto;
using vnpu::test::runVnpu;
using vnpu::test::TemporaryFolder;
using vnpu::test::writeFile;

/// A client with five frames at once.
std::string clientTable(const std::string& name, const std::string& more) {
    return "[[client]]\nname = \"" + name +
           "\"\nuid = 10101\nmodel = \"zoo:ds_cnn\"\narrival = \"closed_loop\"\ncount = 5\n" + more;
}

/// Two clients in their own processes, with and without a burst, and one on a thread.
const std::string kScenario = "[scenario]\nname = \"live\"\nconfig = \"edge\"\n" +
                              clientTable("one", "process = true\npath = \"burst\"\n") +
                              clientTable("two", "process = true\ndeadline = \"10 s\"\n") +
                              clientTable("here", "path = \"async\"\n");

std::vector<std::string> linesOf(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

}  // namespace

TEST_SUITE_BEGIN("integration/service/live_run");

TEST_CASE("clients run in separate processes on a live device [E-5]") {
    const TemporaryFolder folder;
    writeFile(folder / "live.toml", kScenario);
    const ProgramResult result = runVnpu(
            {"run", "--live", (folder / "live.toml").string(), "--out", (folder / "out").string()});
    REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
    CHECK(result.output.find("one     zoo:ds_cnn") != std::string::npos);
    const auto jobs = linesOf(readFile(folder / "out" / "jobs.csv"));
    REQUIRE(jobs.size() == 1 + 3 * 5);
    for (const char* client : {"one,", "two,", "here,"}) {
        CHECK(std::count_if(jobs.begin(), jobs.end(), [&](const std::string& line) {
                  return line.starts_with(client) && line.find(",NONE,") != std::string::npos;
              }) == 5);
    }
}

TEST_CASE("a live run has the scenario's device settings [E-5a] [E-7]") {
    const TemporaryFolder folder;
    writeFile(folder / "live.toml",
              kScenario +
                      "[scheduling]\nmechanism = \"none\"\n[power]\nautosuspend_us = 100\n"
                      "[dram]\nbackground = 0.5\n[[fault]]\nkind = \"dma-error\"\njob = 4\n");
    const ProgramResult result = runVnpu(
            {"run", "--live", (folder / "live.toml").string(), "--out", (folder / "out").string()});
    CHECK_MESSAGE(result.exitCode == 1, result.errors);  // the frame with the fault
    const auto jobs = linesOf(readFile(folder / "out" / "jobs.csv"));
    REQUIRE(jobs.size() == 1 + 3 * 5);
    const auto ending = [&](const char* status) {
        return std::count_if(jobs.begin(), jobs.end(), [&](const std::string& line) {
            return line.find(status) != std::string::npos;
        });
    };
    CHECK(ending(",NONE,") == 3 * 5 - 1);
    CHECK(ending(",GENERAL_FAILURE,") == 1);
}

TEST_CASE("a live run prints what its times mean, and the device's alone [E-5]") {
    const TemporaryFolder folder;
    writeFile(folder / "live.toml", kScenario);
    const ProgramResult result = runVnpu(
            {"run", "--live", (folder / "live.toml").string(), "--out", (folder / "out").string()});
    REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
    CHECK(result.output.find("  device P50 ms  device P99 ms\n") != std::string::npos);
    CHECK(result.output.find("Latency (mean to max) is wall time") != std::string::npos);
    CHECK(result.output.find("are device time alone") != std::string::npos);
}

TEST_CASE("a live run leaves traces of its device [E-5] [E-6]") {
    const TemporaryFolder folder;
    writeFile(folder / "live.toml", kScenario);
    const ProgramResult result = runVnpu({"run", "--live", (folder / "live.toml").string(), "--out",
                                          (folder / "out").string(), "--trace", "perfetto,vcd"});
    REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
    const PerfettoTrace trace = readPerfetto(readFile(folder / "out" / "trace.perfetto-trace"));
    CHECK(findPerfettoError(trace) == "");
    std::size_t jobs = 0;
    for (const PerfettoEvent& event : trace.on("jobs of others")) {
        jobs += event.type == 1 && event.name.starts_with("job ") ? 1 : 0;
    }
    CHECK(jobs >= 3 * 5);
    CHECK(trace.on("mac").size() >= 2 * jobs);
    CHECK(trace.on("calls of uid " + std::to_string(getuid())).size() >= 3 * 2 * 5);
    CHECK(readFile(folder / "out" / "trace.vcd").find("$var wire 1") != std::string::npos);
}

TEST_CASE("a live run does not support a part of a VCD [E-5]") {
    const TemporaryFolder folder;
    writeFile(folder / "live.toml", kScenario);
    for (const char* option : {"--vcd-from", "--vcd-to"}) {
        const ProgramResult result =
                runVnpu({"run", "--live", (folder / "live.toml").string(), option, "1 ms"});
        CHECK(result.exitCode == 2);
        CHECK(result.errors ==
              "vnpu: --live does not support --vcd-from and --vcd-to, expected "
              "none of these\n");
    }
}

TEST_CASE("a client in a separate process is refused in virtual time [E-5]") {
    const TemporaryFolder folder;
    const std::string file = (folder / "live.toml").string();
    writeFile(file, kScenario);
    const ProgramResult result = runVnpu({"run", file, "--out", (folder / "out").string()});
    CHECK(result.exitCode == 2);
    CHECK(result.errors == "vnpu: " + file +
                                   ":10: client.process: is true, expected false, or vnpu run "
                                   "--live: virtual time does not reach into other processes\n");
}

TEST_CASE("a client that cannot begin ends the run for all [E-5]") {
    const TemporaryFolder folder;
    const std::string file = (folder / "live.toml").string();
    writeFile(file, kScenario + clientTable("wrong", "process = true\nstate = [[7, 7]]\n"));
    const ProgramResult result =
            runVnpu({"run", "--live", file, "--out", (folder / "out").string()});
    CHECK(result.exitCode == 1);
    CHECK(result.errors.find("client wrong: its process ended with exit code 2") !=
          std::string::npos);
    CHECK(result.errors.find("client.state") != std::string::npos);
}

TEST_SUITE_END();
