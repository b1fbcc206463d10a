// SPDX-License-Identifier: Apache-2.0
#include "sim/report/run_cases.h"

#include <fmt/format.h>

#include "sim/scenario/failures.h"

namespace vnpu::sim {

namespace {

std::string expectedText(const ClientSpec& client) {
    return client.leastFailures == client.mostFailures
                   ? fmt::format("{}", client.mostFailures)
                   : fmt::format("{} to {}", client.leastFailures, client.mostFailures);
}

/// The first failed frame in words, or nothing.
std::string firstFailure(const RunReport& report, std::uint32_t client) {
    for (const FrameRecord& frame : report.outcome.frames) {
        if (frame.client == client && !frame.isOk && !frame.isRefused) {
            return fmt::format("; the first: frame {} with {} at {:.3f} ms", frame.frame,
                               frame.status, static_cast<double>(frame.returnNs) * 1e-6);
        }
    }
    return "";
}

CaseOutcome clientCase(const RunReport& report, std::uint32_t index) {
    const ClientSpec& client = report.scenario.clients[index];
    const ClientOutcome& outcome = report.outcome.clients[index];
    const ClientFigures figures = clientFigures(report, index);
    CaseOutcome result{.name = {.suite = report.scenario.name, .name = client.name},
                       .figures = {{"executed", fmt::format("{}", outcome.executed)},
                                   {"failed", fmt::format("{}", outcome.failed)},
                                   {"missed_deadlines", fmt::format("{}", outcome.missedDeadlines)},
                                   {"p50_ms", fmt::format("{:.6f}", figures.p50Ms)},
                                   {"p99_ms", fmt::format("{:.6f}", figures.p99Ms)}}};
    if (unexpectedFailures(client, outcome) != 0) {
        result.result = CaseResult::kFailed;
        result.message = fmt::format(
                "{} of {} executions failed and {} gave other outputs than the first, expected {} "
                "of both{}{}",
                outcome.failed, outcome.executed, outcome.outputMismatches, expectedText(client),
                firstFailure(report, index),
                outcome.firstMismatch.empty()
                        ? ""
                        : "; the first wrong output: " + outcome.firstMismatch);
    }
    return result;
}

}  // namespace

std::vector<CaseOutcome> clientCases(const RunReport& report) {
    std::vector<CaseOutcome> cases;
    for (std::uint32_t i = 0; i < report.scenario.clients.size(); ++i) {
        cases.push_back(clientCase(report, i));
    }
    return cases;
}

CaseOutcome wholeCase(const RunReport& report) {
    if (report.outcome.mistakes == 0) {
        return {};
    }
    return {.result = CaseResult::kFailed,
            .message = fmt::format("lint found {} mistakes in the driver's use of the device, "
                                   "expected 0",
                                   report.outcome.mistakes)};
}

}  // namespace vnpu::sim
