// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/process_runner.h"

namespace vnpu::sim {

bool ProcessRunner::run(const std::vector<SweepJob>& jobs, const PointStore& store,
                        const Finished& finished) {
    return pool_.run(
            jobs.size(), [&](std::size_t i) { return workerTask(jobs[i].request); },
            [&](std::size_t i, const ProcessResult& result) {
                const WorkerAnswer answer = answerOf(result);
                if (answer.error.empty()) {
                    store.put(jobs[i].hash, answer);
                }
                finished(i, answer);
            });
}

}  // namespace vnpu::sim
