// SPDX-License-Identifier: Apache-2.0
#include "sim/metrics/figures.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "sim/metrics/figure_meanings.h"

namespace {

using namespace vnpu::sim;

ExecutionLog oneClient() {
    ExecutionLog log;
    log.clients = {{.name = "camera", .priority = ClientPriority::kHigh}};
    ExecutionRecord record;
    record.arrivalNs = 1'000'000;
    record.finishNs = 4'000'000;
    record.isolatedNs = 1'000'000;
    record.deadlineNs = 3'000'000;
    log.records = {record};
    log.spanNs = 4'000'000;
    return log;
}

TEST_SUITE_BEGIN("sim/metrics/figures");

TEST_CASE("each figure exists for all executions, for its priority and for its client [E-6]") {
    const ExecutionLog log = oneClient();
    std::map<std::string, std::optional<double>> figures;
    for (const Figure& figure : flatten(schedulingMetrics(log), log)) {
        CHECK_MESSAGE(figures.emplace(figure.name, figure.value).second, figure.name);
    }
    CHECK(figures.at("antt") == 3.0);
    CHECK(figures.at("span_ms") == doctest::Approx(4.0));
    for (const char* whose : {"", ".high", "[camera]"}) {
        const std::string suffix = whose;
        CHECK(figures.at("p99_ms" + suffix) == doctest::Approx(3.0));
        CHECK(figures.at("rate_hz" + suffix) == doctest::Approx(250.0));
        CHECK(figures.at("sla_2" + suffix) == 1.0);
        CHECK(figures.at("sla_3" + suffix) == 0.0);
        CHECK(figures.at("sla_20" + suffix) == 0.0);
        CHECK(*figures.at("sla_mean" + suffix) == doctest::Approx(1.0 / 19));  // 2 of 2 to 20
        CHECK(figures.at("missed" + suffix) == 1.0);
        CHECK(figures.at("wrong_admissions" + suffix) == 1.0);
        CHECK_FALSE(figures.at("wrong_refusals" + suffix).has_value());  // there were none
        CHECK(figures.at("late" + suffix) == 1.0);
        CHECK(figures.at("preemptions" + suffix) == 0.0);
    }
    CHECK_FALSE(figures.at("p99_ms.low").has_value());  // no such client, the same figures
}

TEST_CASE("the latency of preemptions is reported in microseconds [Q-3]") {
    ExecutionLog log = oneClient();
    for (std::uint64_t i = 100; i >= 1; --i) {
        log.preemptionsNs.push_back(i * 1000);
    }
    std::map<std::string, std::optional<double>> figures;
    for (const Figure& figure : flatten(schedulingMetrics(log), log)) {
        figures[figure.name] = figure.value;
    }
    CHECK(*figures.at("preempt_p50_us") == doctest::Approx(50.0));
    CHECK(*figures.at("preempt_p99_us") == doctest::Approx(99.0));
    CHECK(*figures.at("preempt_max_us") == doctest::Approx(100.0));
}

TEST_CASE("a scenario's figures are known before it runs [E-6]") {
    Scenario scenario;
    scenario.clients.resize(1);
    scenario.clients[0].name = "camera";
    scenario.clients[0].priority = ClientPriority::kHigh;
    const ExecutionLog log = oneClient();
    std::vector<std::string> names;
    for (const Figure& figure : flatten(schedulingMetrics(log), log)) {
        names.push_back(figure.name);
    }
    CHECK(figureNames(scenario) == names);
}

TEST_CASE("every figure has a meaning [E-6]") {
    const ExecutionLog log = oneClient();
    for (const Figure& figure : flatten(schedulingMetrics(log), log)) {
        CHECK_MESSAGE(!vnpu::sim::figureMeaning(figure.name).empty(), figure.name);
    }
    CHECK(vnpu::sim::figureMeaning("p99_ms.high") == vnpu::sim::figureMeaning("p99_ms"));
    CHECK(vnpu::sim::figureMeaning("sla_4") != vnpu::sim::figureMeaning("sla_mean"));
    CHECK(vnpu::sim::figureMeaning("p98_ms").empty());
}

TEST_CASE("missing values are empty, not zero [E-6]") {
    ExecutionLog log = oneClient();
    log.records.clear();
    for (const Figure& figure : flatten(schedulingMetrics(log), log)) {
        const std::string base = figure.name.substr(0, figure.name.find_first_of(".["));
        const std::set<std::string> counts = {
                "executions",     "done",           "failed",        "unserved",      "refused",
                "aborted",        "late",           "preemptions",   "restarts",      "saved_bytes",
                "reloaded_bytes", "rate_hz",        "switch_cycles", "wasted_cycles", "span_ms",
                "wakes",          "clock_switches", "suspended_ms"};
        CHECK_MESSAGE(figure.value.has_value() == (counts.count(base) == 1), figure.name);
    }
}

TEST_SUITE_END();

}  // namespace
