// SPDX-License-Identifier: Apache-2.0
#include "sim/metrics/scheduling_metrics.h"

#include <doctest/doctest.h>

#include <vector>

namespace {

using namespace vnpu::sim;
using doctest::Approx;

ExecutionRecord record(std::uint32_t client, std::uint64_t turnaroundNs, std::uint64_t isolatedNs) {
    ExecutionRecord made;
    made.client = client;
    made.arrivalNs = 1000;
    made.finishNs = 1000 + turnaroundNs;
    made.isolatedNs = isolatedNs;
    return made;
}

/// Normalized turnarounds 3, 1.5 and 2 of a low, a medium and a high client.
ExecutionLog logOfThreeClients() {
    ExecutionLog log;
    log.clients = {{.name = "a", .priority = ClientPriority::kLow},
                   {.name = "b", .priority = ClientPriority::kMedium},
                   {.name = "c", .priority = ClientPriority::kHigh}};
    log.records = {record(0, 30, 10), record(1, 30, 20), record(2, 80, 40)};
    log.spanNs = 80;
    return log;
}

TEST_SUITE_BEGIN("sim/metrics/scheduling_metrics");

TEST_CASE("turnaround is normalized by the isolated time [E-6]") {
    CHECK(normalizedTurnaround(record(0, 30, 10)) == 3.0);
    CHECK_FALSE(normalizedTurnaround(record(0, 30, 0)));
    ExecutionRecord refused = record(0, 30, 10);
    refused.end = ExecutionEnd::kMissed;
    CHECK_FALSE(normalizedTurnaround(refused));
}

TEST_CASE("ANTT, STP and fairness of three programs [E-6]") {
    const SchedulingMetrics metrics = schedulingMetrics(logOfThreeClients());
    CHECK(*metrics.antt == Approx(6.5 / 3));
    CHECK(*metrics.stp == Approx(1.0 / 3 + 2.0 / 3 + 1.0 / 2));
    // Shares 1/13, 3/13, 9/13: progress for its share 13/3, 26/9 and 13/18; 13/18 over 13/3.
    CHECK(*metrics.fairness == Approx(1.0 / 6));
    CHECK(metrics.spanNs == 80);
}

TEST_CASE("a program's turnaround is the mean of its executions [E-6]") {
    ExecutionLog log = logOfThreeClients();
    log.records.push_back(record(0, 50, 10));  // 3 and 5
    CHECK(*schedulingMetrics(log).antt == Approx((4 + 1.5 + 2) / 3));
    CHECK(*schedulingMetrics(log).stp == Approx(1.0 / 4 + 2.0 / 3 + 1.0 / 2));
}

TEST_CASE("equal progress for equal priorities is fair [E-6]") {
    const std::vector<Program> programs = {{.normalizedTurnaround = 4, .weight = 3},
                                           {.normalizedTurnaround = 4, .weight = 3}};
    CHECK(*fairness(programs) == Approx(1.0));
    CHECK(*systemThroughput(programs) == Approx(0.5));
}

TEST_CASE("without isolated times there is neither ANTT nor STP [E-6]") {
    ExecutionLog log = logOfThreeClients();
    for (ExecutionRecord& entry : log.records) {
        entry.isolatedNs = 0;
    }
    const SchedulingMetrics metrics = schedulingMetrics(log);
    CHECK_FALSE(metrics.antt);
    CHECK_FALSE(metrics.stp);
    CHECK_FALSE(metrics.fairness);
    CHECK_FALSE(metrics.all.slaViolations[0]);
    CHECK(metrics.all.p50Ns == 30);
}

TEST_CASE("an SLA is violated beyond k isolated times, and by executions without a result [E-6]") {
    ExecutionLog log = logOfThreeClients();
    CHECK(*slaViolation(log.records, 1.0) == Approx(1.0));
    CHECK(*slaViolation(log.records, 1.5) == Approx(2.0 / 3));
    CHECK(*slaViolation(log.records, 2.0) == Approx(1.0 / 3));
    CHECK(*slaViolation(log.records, 3.0) == Approx(0.0));
    log.records[2].end = ExecutionEnd::kMissed;
    log.records[1].end = ExecutionEnd::kFailed;
    CHECK(*slaViolation(log.records, 3.0) == Approx(2.0 / 3));
    const ExecutionFigures figures = figuresOf(log.records);
    CHECK(*figures.slaViolations[0] == Approx(1.0));       // k = 2
    CHECK(*figures.slaViolations[1] == Approx(2.0 / 3));   // k = 3
    CHECK(*figures.slaViolations[18] == Approx(2.0 / 3));  // k = 20
}

TEST_CASE("deadlines are refused, aborted, or met late [Q-6]") {
    std::vector<ExecutionRecord> records(4, record(0, 30, 10));
    for (ExecutionRecord& entry : records) {
        entry.deadlineNs = 1030;
    }
    records[1].finishNs = 1031;  // late
    records[2].end = ExecutionEnd::kMissed;
    records[3].end = ExecutionEnd::kMissed;
    records[3].isAdmitted = false;
    records.push_back(record(0, 5000, 10));  // without a deadline
    const ExecutionFigures figures = figuresOf(records);
    CHECK(figures.withDeadline == 4);
    CHECK(figures.late == 1);
    CHECK(figures.aborted == 1);
    CHECK(figures.refused == 1);
    CHECK(figures.missed() == 3);
    CHECK(figures.done == 3);
    CHECK(figures.executions == 5);
}

TEST_CASE("wrong refusals are counted among those that were judged [Q-6]") {
    std::vector<ExecutionRecord> records(4, record(0, 30, 10));
    for (ExecutionRecord& entry : records) {
        entry.deadlineNs = 1030;
        entry.end = ExecutionEnd::kMissed;
        entry.isAdmitted = false;
    }
    records[0].refusal = RefusalVerdict::kRight;
    records[1].refusal = RefusalVerdict::kWrong;
    records[2].refusal = RefusalVerdict::kNotJudged;  // the fourth one was past its deadline
    records.push_back(record(0, 30, 10));
    records[4].deadlineNs = 1030;
    const ExecutionFigures figures = figuresOf(records);
    CHECK(figures.refused == 4);
    CHECK(figures.judgedRefusals == 2);
    CHECK(figures.wrongRefusals == 1);
    CHECK(figures.admitted() == 1);
}

TEST_CASE("tail latencies are computed by client and priority [E-6]") {
    ExecutionLog log = logOfThreeClients();
    log.clients[1].priority = ClientPriority::kLow;
    log.clients[1].unserved = 2;
    log.records.clear();
    for (std::uint64_t i = 1; i <= 100; ++i) {
        log.records.push_back(record(0, i, 10));
        log.records.push_back(record(1, 1000 + i, 10));
    }
    const SchedulingMetrics metrics = schedulingMetrics(log);
    CHECK(metrics.byClient[0].p50Ns == 50);
    CHECK(metrics.byClient[0].p95Ns == 95);
    CHECK(metrics.byClient[0].p99Ns == 99);
    CHECK(metrics.byClient[0].maxNs == 100);
    CHECK(metrics.byClient[0].meanNs == Approx(50.5));
    CHECK(metrics.byClient[1].unserved == 2);
    REQUIRE(metrics.byPriority.size() == 2);
    CHECK(metrics.byPriority.at(ClientPriority::kLow).p50Ns == 100);
    CHECK(metrics.byPriority.at(ClientPriority::kLow).p99Ns == 1098);
    CHECK(metrics.byPriority.at(ClientPriority::kLow).unserved == 2);
    CHECK(metrics.byPriority.at(ClientPriority::kHigh).executions == 0);
    CHECK(metrics.all.unserved == 2);
}

TEST_CASE("costs of sharing are summed up [Q-3]") {
    std::vector<ExecutionRecord> records(2, record(0, 30, 10));
    records[0].costs = {.preemptions = 2,
                        .restarts = 1,
                        .savedBytes = 4096,
                        .switchCycles = 70,
                        .wastedCycles = 900};
    records[1].costs = {.preemptions = 1, .savedBytes = 64};
    const ExecutionFigures figures = figuresOf(records);
    CHECK(figures.costs.preemptions == 3);
    CHECK(figures.costs.restarts == 1);
    CHECK(figures.costs.savedBytes == 4160);
    CHECK(figures.costs.switchCycles == 70);
    CHECK(figures.costs.wastedCycles == 900);
}

TEST_CASE("the device time of apps is compared, with the switches of their jobs [Q-1]") {
    ExecutionLog log;
    log.clients = {
            {.name = "a", .uid = 10101}, {.name = "b", .uid = 10101}, {.name = "c", .uid = 10102}};
    log.records = {record(0, 30, 10), record(1, 30, 10), record(2, 30, 10)};
    log.records[0].costs = {.switchCycles = 100, .executedCycles = 400};
    log.records[1].costs = {.executedCycles = 100};
    log.records[2].costs = {.switchCycles = 50, .executedCycles = 150};
    const SchedulingMetrics metrics = schedulingMetrics(log);
    CHECK(deviceShare(metrics.byUid.at(10101), metrics) == 0.75);
    CHECK(deviceShare(metrics.byUid.at(10102), metrics) == 0.25);
    CHECK(deviceShare(metrics.byClient.at(1), metrics) == 0.125);
    CHECK_FALSE(deviceShare({}, schedulingMetrics({})).has_value());
}

TEST_CASE("no executions give no figures") {
    const SchedulingMetrics metrics = schedulingMetrics({});
    CHECK_FALSE(metrics.antt);
    CHECK(metrics.all.executions == 0);
    CHECK(metrics.byPriority.empty());
}

TEST_SUITE_END();

}  // namespace
