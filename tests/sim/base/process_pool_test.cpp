// SPDX-License-Identifier: Apache-2.0
#include "sim/base/process_pool.h"

#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>
#include <string>

namespace {

using vnpu::sim::ProcessPool;
using vnpu::sim::ProcessResult;
using vnpu::sim::ProcessTask;

ProcessTask shell(const std::string& script, const std::string& input = "") {
    return {.arguments = {"-c", script}, .input = input};
}

TEST_SUITE_BEGIN("sim/base/process_pool");

TEST_CASE("every task gets its input and returns its output, for any number of processes") {
    for (const unsigned jobs : {1U, 3U, 8U}) {
        ProcessPool pool("/bin/sh", jobs);
        std::map<std::size_t, std::string> outputs;
        const bool isWhole = pool.run(
                5, [](std::size_t i) { return shell("cat; echo e >&2", std::string(i, 'x')); },
                [&](std::size_t i, const ProcessResult& result) {
                    CHECK(result.isExited);
                    CHECK(result.code == 0);
                    CHECK(result.errors == "e\n");
                    outputs[i] = result.output;
                });
        CHECK(isWhole);
        CHECK(outputs == std::map<std::size_t, std::string>{
                                 {0, ""}, {1, "x"}, {2, "xx"}, {3, "xxx"}, {4, "xxxx"}});
    }
}

TEST_CASE("a task may write more output than a pipe holds") {
    ProcessPool pool("/bin/sh", 2);
    std::size_t size = 0;
    pool.run(
            1, [](std::size_t) { return shell("head -c 1000000 /dev/zero"); },
            [&](std::size_t, const ProcessResult& result) { size = result.output.size(); });
    CHECK(size == 1'000'000);
}

TEST_CASE("exit codes and signals are reported") {
    ProcessPool pool("/bin/sh", 2);
    std::map<std::size_t, ProcessResult> results;
    pool.run(
            2, [](std::size_t i) { return shell(i == 0 ? "exit 3" : "kill -9 $$"); },
            [&](std::size_t i, const ProcessResult& result) { results[i] = result; });
    CHECK(results[0].isExited);
    CHECK(results[0].code == 3);
    CHECK_FALSE(results[1].isExited);
    CHECK(results[1].code == SIGKILL);
}

TEST_CASE("a stop ends running tasks and starts no more") {
    std::atomic<bool> stop = false;
    ProcessPool pool("/bin/sh", 2, &stop);
    std::size_t started = 0;
    std::size_t ended = 0;
    const bool isWhole = pool.run(
            10,
            [&](std::size_t i) {
                ++started;
                return shell(i == 0 ? "true" : "exec sleep 1000");
            },
            [&](std::size_t, const ProcessResult&) {
                ++ended;
                stop = true;
            });
    CHECK_FALSE(isWhole);
    CHECK(started == 2);
    CHECK(ended == 1);
}

TEST_CASE("a process that takes longer than the limit is killed, the others are not") {
    ProcessPool pool("/bin/sh", 2, nullptr, std::chrono::milliseconds(300));
    std::map<std::size_t, ProcessResult> results;
    pool.run(
            2, [](std::size_t i) { return shell(i == 0 ? "exec sleep 1000" : "echo done"); },
            [&](std::size_t i, const ProcessResult& result) { results[i] = result; });
    CHECK_FALSE(results[0].isExited);
    CHECK(results[0].code == SIGKILL);
    CHECK(results[0].errors.find("did not end within 0.3 s") != std::string::npos);
    CHECK(results[1].isExited);
    CHECK(results[1].output == "done\n");
}

TEST_CASE("a missing program is reported") {
    ProcessPool pool("/nowhere/vnpu", 1);
    CHECK_THROWS_AS(pool.run(
                            1, [](std::size_t) { return ProcessTask{}; },
                            [](std::size_t, const ProcessResult&) {}),
                    std::runtime_error);
}

TEST_CASE("zero tasks are done immediately") {
    ProcessPool pool("/bin/sh", 1);
    CHECK(pool.run(
            0, [](std::size_t) { return ProcessTask{}; },
            [](std::size_t, const ProcessResult&) {}));
    CHECK(vnpu::sim::defaultJobs() >= 1);
}

TEST_SUITE_END();

}  // namespace
