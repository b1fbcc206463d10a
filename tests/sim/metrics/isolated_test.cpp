// SPDX-License-Identifier: Apache-2.0
#include "sim/metrics/isolated.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "sim/config/load_config.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;

Scenario threeClients() {
    Scenario scenario;
    scenario.durationNs = 5;
    scenario.scheduling.policy = vnpu::fw::Policy::kTokens;
    scenario.clients.resize(3);
    scenario.clients[0].modelSource = "zoo:ds_cnn";
    scenario.clients[0].deadlineFactor = 2.5;
    scenario.clients[0].rateHz = 50;
    scenario.clients[1].modelSource = "zoo:ds_cnn";
    scenario.clients[1].batch = 4;
    scenario.clients[2].modelSource = "zoo:ds_cnn";
    scenario.clients[2].priority = ClientPriority::kHigh;
    return scenario;
}

TEST_SUITE_BEGIN("sim/metrics/isolated");

TEST_CASE("clients of one model, batch and path share their time") {
    const Scenario scenario = threeClients();
    CHECK(isolatedKey(scenario.clients[0]) == "zoo:ds_cnn batch 1 sync");
    CHECK(isolatedKey(scenario.clients[2]) == isolatedKey(scenario.clients[0]));
    const auto clients = distinctClients(scenario);
    REQUIRE(clients.size() == 2);
    CHECK(clients[0] == &scenario.clients[0]);
    CHECK(clients[1] == &scenario.clients[1]);
}

TEST_CASE("the isolated run has one client, no deadline, no checkpoints and no faults") {
    Scenario scenario = threeClients();
    scenario.faults.push_back({.spec = {.kind = vnpu::hw::FaultKind::kWrongResult}});
    const Scenario alone = isolatedScenario(scenario, scenario.clients[1]);
    REQUIRE(alone.clients.size() == 1);
    CHECK(alone.clients[0].batch == 4);
    CHECK(alone.clients[0].count == 2);
    CHECK(alone.clients[0].deadlineNs == 0);
    CHECK(alone.clients[0].deadlineFactor == 0.0);
    CHECK(alone.durationNs == 0);
    CHECK(alone.timingOnly);
    CHECK(alone.faults.empty());
    CHECK(describeScheduling(alone.scheduling) == "mechanism none, checkpoint_us 0");
}

TEST_CASE("the isolated time is that of the second execution") {
    ScenarioOutcome outcome;
    outcome.frames.resize(2);
    outcome.frames[0] = {.arrivalNs = 10, .returnNs = 40, .isOk = true};
    outcome.frames[1] = {.arrivalNs = 40, .returnNs = 65, .isOk = true};
    CHECK(isolatedNs(outcome) == 25);
    outcome.frames[1].isOk = false;
    CHECK(isolatedNs(outcome) == 0);
    CHECK(isolatedNs({}) == 0);
}

TEST_CASE("a deadline factor becomes a time and requires an isolated time") {
    Scenario scenario = threeClients();
    resolveDeadlines(scenario, {.byKey = {{"zoo:ds_cnn batch 1 sync", 100}}});
    CHECK(scenario.clients[0].deadlineNs == 250);
    CHECK(scenario.clients[1].deadlineNs == 0);
    scenario.clients[0].modelPlace = "s.toml:6";
    CHECK_THROWS_WITH_AS(resolveDeadlines(scenario, {}),
                         "s.toml:6: client.deadline_factor: zoo:ds_cnn batch 1 sync has no "
                         "isolated time: it was not measured",
                         InputError);
    IsolatedTimes failed;
    failed.errors["zoo:ds_cnn batch 1 sync"] = "there is no such model";
    CHECK_THROWS_WITH_AS(resolveDeadlines(scenario, failed),
                         "s.toml:6: client.deadline_factor: zoo:ds_cnn batch 1 sync has no "
                         "isolated time: there is no such model",
                         InputError);
}

TEST_CASE("an isolated time is what a lone client sees [E-6]") {
    vnpu::test::simCase([] {
        Scenario scenario = threeClients();
        vnpu::hw::NpuConfig config = loadConfig("edge");
        config.timingOnly = true;
        scenario.clients[0].uid = 10101;
        const ScenarioOutcome outcome =
                runScenario(isolatedScenario(scenario, scenario.clients[0]), config, {});
        // The array of 256 MACs at 1 GHz takes at least 10.4 us for 2 656 768 of them.
        CHECK(isolatedNs(outcome) > 10'377);
        CHECK(isolatedNs(outcome) < 200'000);
    });
}

TEST_SUITE_END();

}  // namespace
