// SPDX-License-Identifier: Apache-2.0
#include "sim/report/run_cases.h"

#include <fmt/format.h>

#include "sim/scenario/failures.h"

namespace vnpu::sim {

namespace {

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
    result.message = failureText(report.scenario, report.outcome, index);
    if (!result.message.empty()) {
        result.result = CaseResult::kFailed;
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
