// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/report/report_bench.h"

#include "sim/trace/event_stream.h"
#include "tests/sim/trace/recorded_run.h"

namespace vnpu::test {

namespace {

sim::Scenario twoClientScenario() {
    sim::Scenario scenario;
    scenario.name = "bench";
    scenario.durationNs = 10'000;
    scenario.config = "half";
    scenario.seed = 5;
    scenario.clients.resize(2);
    scenario.clients[0].name = "camera";
    scenario.clients[0].uid = 10101;
    scenario.clients[0].model = "zoo:small";
    scenario.clients[0].periodNs = 2000;
    scenario.clients[0].deadlineNs = 300;
    scenario.clients[1].name = "keyword";
    scenario.clients[1].uid = 10102;
    scenario.clients[1].model = "zoo:other";
    scenario.clients[1].priority = sim::ClientPriority::kHigh;
    scenario.clients[1].arrival = sim::ArrivalKind::kClosedLoop;
    scenario.clients[1].deadlineNs = 8;
    return scenario;
}

sim::ScenarioOutcome twoClientOutcome() {
    sim::ScenarioOutcome outcome;
    outcome.startNs = 1000;
    outcome.endNs = 5010;
    outcome.clients.resize(2);
    outcome.clients[0].macs = 1000;
    outcome.clients[0].arrived = 2;
    outcome.clients[0].executed = 2;
    outcome.clients[0].outputHash = 0xABC;
    outcome.clients[1].arrived = 2;
    outcome.clients[1].executed = 1;
    outcome.clients[1].late = 1;
    outcome.clients[1].missedDeadlines = 1;
    outcome.frames.resize(3);
    for (std::uint64_t i = 0; i < 2; ++i) {
        sim::FrameRecord& frame = outcome.frames[i];
        frame.client = 0;
        frame.frame = 4 + i;
        frame.arrivalNs = 1998 + 2000 * i;
        frame.callNs = frame.arrivalNs + 2;
        frame.returnNs = frame.arrivalNs + 244;
        frame.status = "NONE";
        frame.isOk = true;
        frame.timeOnDeviceUs = 1;
        frame.timeInDriverUs = 2;
    }
    sim::FrameRecord& refused = outcome.frames[2];
    refused.client = 1;
    refused.arrivalNs = 5000;
    refused.callNs = 5004;
    refused.returnNs = 5010;
    refused.status = "MISSED_DEADLINE_TRANSIENT";
    refused.isRefused = true;
    refused.isLate = true;
    refused.missedDeadline = true;
    return outcome;
}

}  // namespace

ReportBench::ReportBench()
    : scenario(twoClientScenario()),
      config(halfGigahertz()),
      outcome(twoClientOutcome()),
      report{scenario, config, outcome, statistics} {
    sim::EventStream stream(config, twoClients());
    stream.addSink(statistics);
    stream.begin();
    playExecution(stream, 1000, 7, 3, smallModel(), 4);
    playExecution(stream, 2000, 8, 4, smallModel(), 5);
    stream.end(5010);
}

}  // namespace vnpu::test
