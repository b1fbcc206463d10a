// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/isolated_runs.h"

#include <cstddef>
#include <vector>

namespace vnpu::sim {

IsolatedTimes measureIsolated(const Scenario& scenario, WorkerRequest request, ProcessPool& pool) {
    const std::vector<const ClientSpec*> clients = distinctClients(scenario);
    IsolatedTimes times;
    pool.run(
            clients.size(),
            [&](std::size_t index) {
                request.alone = clients[index]->name;
                return workerTask(request);
            },
            [&](std::size_t index, const ProcessResult& result) {
                const WorkerAnswer answer = answerOf(result);
                if (answer.error.empty() && answer.isolatedNs != 0) {
                    times.byKey[isolatedKey(*clients[index])] = answer.isolatedNs;
                }
            });
    return times;
}

}  // namespace vnpu::sim
