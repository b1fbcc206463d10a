// SPDX-License-Identifier: Apache-2.0
#include "sim/metrics/collect_records.h"

#include <doctest/doctest.h>

#include "sim/trace/event_stream.h"
#include "tests/sim/trace/recorded_run.h"

namespace {

using namespace vnpu::sim;

TEST_SUITE_BEGIN("sim/metrics/collect_records");

TEST_CASE("frames are joined with their jobs, deadlines and isolated times [E-6]") {
    const vnpu::hw::NpuConfig config = vnpu::test::halfGigahertz();
    EventStream stream(config, vnpu::test::twoClients());
    Statistics statistics;
    stream.addSink(statistics);
    stream.begin();
    vnpu::test::playExecution(stream, 1000, 7, 3, vnpu::test::smallModel(), 4);
    stream.end(5000);

    Scenario scenario;
    scenario.clients.resize(2);
    scenario.clients[0].modelSource = "zoo:x";
    scenario.clients[0].deadlineNs = 300;
    scenario.clients[1].priority = ClientPriority::kHigh;
    scenario.clients[1].modelSource = "zoo:y";
    ScenarioOutcome outcome;
    outcome.startNs = 1000;
    outcome.clients.resize(2);
    outcome.clients[1].arrived = 5;
    outcome.clients[1].executed = 2;
    outcome.frames.resize(3);
    outcome.frames[0] = {
            .client = 0, .frame = 4, .arrivalNs = 1998, .returnNs = 2242, .isOk = true};
    outcome.frames[1] = {
            .client = 1, .frame = 0, .arrivalNs = 2000, .returnNs = 2010, .isRefused = true};
    outcome.frames[2] = {.client = 1, .frame = 1, .arrivalNs = 2100, .returnNs = 2600};

    const ExecutionLog log =
            collectRecords(scenario, outcome, statistics, {.byKey = {{"zoo:x batch 1 sync", 200}}});
    REQUIRE(log.records.size() == 3);
    CHECK(log.spanNs == 1600);
    CHECK(log.clients[1].unserved == 3);
    CHECK(log.clients[1].priority == ClientPriority::kHigh);
    CHECK(log.records[0].isAdmitted);
    CHECK(log.records[0].deadlineNs == 2298);
    CHECK(log.records[0].isolatedNs == 200);
    CHECK(log.records[0].turnaroundNs() == 244);
    CHECK(log.records[0].end == ExecutionEnd::kDone);
    CHECK(log.records[1].end == ExecutionEnd::kMissed);
    CHECK_FALSE(log.records[1].isAdmitted);
    CHECK(log.records[1].deadlineNs == 0);
    CHECK(log.records[1].isolatedNs == 0);
    CHECK(log.records[2].end == ExecutionEnd::kFailed);
}

TEST_SUITE_END();

}  // namespace
