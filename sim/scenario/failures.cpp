// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/failures.h"

#include <fmt/format.h>

#include <cstddef>

namespace vnpu::sim {

namespace {

std::string expectedText(const ClientSpec& client) {
    return client.leastFailures == client.mostFailures
                   ? fmt::format("{}", client.mostFailures)
                   : fmt::format("{} to {}", client.leastFailures, client.mostFailures);
}

/// The first failed frame in words, or nothing.
std::string firstFailure(const ScenarioOutcome& outcome, std::uint32_t client) {
    for (const FrameRecord& frame : outcome.frames) {
        if (frame.client == client && !frame.isOk && !frame.isRefused) {
            return fmt::format("; the first: frame {} with {} at {:.3f} ms", frame.frame,
                               frame.status, static_cast<double>(frame.returnNs) * 1e-6);
        }
    }
    return "";
}

}  // namespace

std::uint64_t unexpectedFailures(const ClientSpec& client, const ClientOutcome& outcome) {
    const std::uint64_t failures = outcome.failed + outcome.outputMismatches;
    if (failures < client.leastFailures) {
        return client.leastFailures - failures;
    }
    return failures > client.mostFailures ? failures - client.mostFailures : 0;
}

std::uint64_t unexpectedFailures(const Scenario& scenario, const ScenarioOutcome& outcome) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < scenario.clients.size(); ++i) {
        sum += unexpectedFailures(scenario.clients[i], outcome.clients[i]);
    }
    return sum;
}

std::string failureText(const Scenario& scenario, const ScenarioOutcome& outcome,
                        std::uint32_t client) {
    const ClientSpec& spec = scenario.clients[client];
    const ClientOutcome& own = outcome.clients[client];
    if (unexpectedFailures(spec, own) == 0) {
        return "";
    }
    return fmt::format(
            "{} of {} executions failed and {} gave other outputs than the first, expected {} of "
            "both{}{}",
            own.failed, own.executed, own.outputMismatches, expectedText(spec),
            firstFailure(outcome, client),
            own.firstMismatch.empty() ? "" : "; the first wrong output: " + own.firstMismatch);
}

}  // namespace vnpu::sim
