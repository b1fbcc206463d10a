// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sim/scenario/scenario.h"
#include "sim/scenario/scenario_outcome.h"

namespace vnpu::sim {

/// By how many executions a client missed what its scenario expects (ClientSpec::leastFailures and
/// mostFailures): 0 if all went as expected.
std::uint64_t unexpectedFailures(const ClientSpec& client, const ClientOutcome& outcome);

/// The sum over all clients.
std::uint64_t unexpectedFailures(const Scenario& scenario, const ScenarioOutcome& outcome);

/// The executions of the client with this number in words, with the first that failed and the first
/// wrong output; empty if it did not miss what its scenario expects.
std::string failureText(const Scenario& scenario, const ScenarioOutcome& outcome,
                        std::uint32_t client);

}  // namespace vnpu::sim
