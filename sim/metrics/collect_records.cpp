// SPDX-License-Identifier: Apache-2.0
#include "sim/metrics/collect_records.h"

#include <algorithm>

namespace vnpu::sim {

namespace {

ExecutionEnd endOf(const FrameRecord& frame) {
    if (frame.isOk) {
        return ExecutionEnd::kDone;
    }
    return frame.isRefused ? ExecutionEnd::kMissed : ExecutionEnd::kFailed;
}

}  // namespace

ExecutionLog collectRecords(const Scenario& scenario, const ScenarioOutcome& outcome,
                            const Statistics& statistics, const IsolatedTimes& isolated) {
    ExecutionLog log;
    for (std::size_t i = 0; i < scenario.clients.size(); ++i) {
        log.clients.push_back({.name = scenario.clients[i].name,
                               .uid = scenario.clients[i].uid,
                               .priority = scenario.clients[i].priority,
                               .unserved = outcome.clients[i].notStarted()});
    }
    const auto jobs = statistics.jobsByFrame();
    std::uint64_t lastNs = outcome.startNs;
    for (const FrameRecord& frame : outcome.frames) {
        const ClientSpec& client = scenario.clients[frame.client];
        ExecutionRecord record;
        record.client = frame.client;
        record.arrivalNs = frame.arrivalNs;
        record.finishNs = frame.returnNs;
        record.deadlineNs = client.deadlineNs == 0 ? 0 : frame.arrivalNs + client.deadlineNs;
        record.isolatedNs = isolated.of(client);
        record.end = endOf(frame);
        record.refusal = frame.refusal;
        // The driver refuses a call after its deadline without a forecast.
        record.isAdmitted =
                !frame.refusal && !(frame.isRefused && frame.callNs >= record.deadlineNs);
        if (const auto job = jobs.find({frame.client, frame.frame}); job != jobs.end()) {
            record.costs = job->second->costs;
        }
        log.records.push_back(record);
        lastNs = std::max(lastNs, frame.returnNs);
    }
    log.spanNs = lastNs - outcome.startNs;
    log.preemptionsNs = statistics.preemptionsNs();
    const PowerTotals& power = statistics.power();
    log.wakes = power.wakes;
    log.clockSwitches = power.switches;
    log.suspendedNs = power.stateNs[static_cast<std::size_t>(hw::regs::PowerState::kSuspended)];
    return log;
}

}  // namespace vnpu::sim
