// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/isolated_runs.h"

#include <cstddef>
#include <vector>

namespace vnpu::sim {

void addIsolated(const std::string& key, const WorkerAnswer& answer, IsolatedTimes& times) {
    if (answer.error.empty() && answer.isolatedNs != 0) {
        times.byKey[key] = answer.isolatedNs;
    } else {
        times.errors[key] = answer.error.empty() ? "its execution failed" : answer.error;
    }
}

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
                addIsolated(isolatedKey(*clients[index]), answerOf(result), times);
            });
    return times;
}

}  // namespace vnpu::sim
