// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/failures.h"

#include <doctest/doctest.h>

namespace {

using namespace vnpu::sim;

std::uint64_t unexpected(std::uint64_t least, std::uint64_t most, std::uint64_t failed,
                         std::uint64_t mismatches) {
    ClientSpec client;
    client.leastFailures = least;
    client.mostFailures = most;
    ClientOutcome outcome;
    outcome.failed = failed;
    outcome.outputMismatches = mismatches;
    return unexpectedFailures(client, outcome);
}

}  // namespace

TEST_SUITE_BEGIN("sim/scenario/failures");

TEST_CASE("without an expectation every failure and every other output is unexpected") {
    CHECK(unexpected(0, 0, 0, 0) == 0);
    CHECK(unexpected(0, 0, 2, 0) == 2);
    CHECK(unexpected(0, 0, 2, 1) == 3);
}

TEST_CASE("fewer and more failures than expected are unexpected") {
    CHECK(unexpected(2, 4, 1, 0) == 1);
    CHECK(unexpected(2, 4, 1, 1) == 0);
    CHECK(unexpected(2, 4, 4, 0) == 0);
    CHECK(unexpected(2, 4, 4, 3) == 3);
}

TEST_CASE("clients do not make up for one another") {
    Scenario scenario;
    scenario.clients.resize(2);
    scenario.clients[0].leastFailures = scenario.clients[0].mostFailures = 1;
    ScenarioOutcome outcome;
    outcome.clients.resize(2);
    outcome.clients[1].failed = 1;
    CHECK(unexpectedFailures(scenario, outcome) == 2);
}

TEST_CASE("a client's failures in words name the first of each kind") {
    Scenario scenario;
    scenario.clients.resize(2);
    scenario.clients[1].leastFailures = 1;
    scenario.clients[1].mostFailures = 2;
    ScenarioOutcome outcome;
    outcome.clients.resize(2);
    ClientOutcome& second = outcome.clients[1];
    second.executed = 9;
    second.failed = 2;
    second.outputMismatches = 1;
    second.firstMismatch = "frame 4 at 5.000 ms, output 0: element 3 is 7, expected 8";
    outcome.frames = {
            {.client = 0, .frame = 1, .status = "GENERAL_FAILURE"},
            {.client = 1, .frame = 2, .status = "MISSED_DEADLINE_TRANSIENT", .isRefused = true},
            {.client = 1, .frame = 3, .returnNs = 2'500'000, .status = "GENERAL_FAILURE"}};
    CHECK(failureText(scenario, outcome, 0).empty());
    CHECK(failureText(scenario, outcome, 1) ==
          "2 of 9 executions failed and 1 gave other outputs than the first, expected 1 to 2 of "
          "both; the first: frame 3 with GENERAL_FAILURE at 2.500 ms; the first wrong output: "
          "frame 4 at 5.000 ms, output 0: element 3 is 7, expected 8");
    second.failed = 1;
    CHECK(failureText(scenario, outcome, 1).empty());
}

TEST_SUITE_END();
