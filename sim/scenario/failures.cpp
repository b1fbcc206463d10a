// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/failures.h"

#include <cstddef>

namespace vnpu::sim {

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

}  // namespace vnpu::sim
