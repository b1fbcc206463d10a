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

TEST_SUITE_END();
