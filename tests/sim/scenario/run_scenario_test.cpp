// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/run_scenario.h"

#include <doctest/doctest.h>

#include "sim/config/load_config.h"
#include "sim/scenario/failures.h"
#include "sim/scenario/scenario_reader.h"
#include "sim/trace/statistics.h"
#include "tests/support/sim_case.h"

namespace {

using vnpu::sim::loadConfig;
using vnpu::sim::parseScenario;
using vnpu::sim::runScenario;
using vnpu::sim::Scenario;
using vnpu::sim::ScenarioOutcome;
using vnpu::sim::Statistics;

Scenario scenarioOf(const std::string& duration, const std::string& clients) {
    return parseScenario("[scenario]\nname = \"t\"\nduration = \"" + duration +
                                 "\"\nconfig = \"edge\"\n" + clients,
                         "t.toml");
}

/// A client whose frames arrive faster than one execution takes, which is more than 10 us.
const std::string kHurried =
        "[[client]]\nname = \"a\"\nuid = 10101\nmodel = \"zoo:ds_cnn\"\narrival = \"periodic\"\n"
        "period = \"10 us\"\n";

TEST_SUITE_BEGIN("sim/scenario/run_scenario");

TEST_CASE("every frame of two periodic clients is executed [E-4][Q-1]") {
    vnpu::test::simCase([] {
        const Scenario scenario =
                scenarioOf("20 ms",
                           "[[client]]\nname = \"a\"\nuid = 10101\nmodel = "
                           "\"zoo:ds_cnn\"\narrival = \"periodic\"\n"
                           "period = \"5 ms\"\n"
                           "[[client]]\nname = \"b\"\nuid = 10102\nmodel = "
                           "\"zoo:ds_cnn\"\narrival = \"periodic\"\n"
                           "period = \"10 ms\"\nphase = \"1 ms\"\npath = \"async\"\n");
        Statistics statistics;
        const ScenarioOutcome outcome =
                runScenario(scenario, loadConfig("edge"), {{&statistics}, {}});
        CHECK(unexpectedFailures(scenario, outcome) == 0);
        CHECK(outcome.mistakes == 0);
        REQUIRE(outcome.clients.size() == 2);
        CHECK(outcome.clients[0].executed == 4);  // at 0, 5, 10 and 15 ms
        CHECK(outcome.clients[1].executed == 2);  // at 1 and 11 ms
        CHECK(outcome.clients[0].late == 0);
        CHECK(outcome.clients[0].outputHash != 0);
        CHECK(outcome.clients[0].outputMismatches == 0);
        REQUIRE(outcome.frames.size() == 6);
        CHECK(outcome.frames[1].client == 1);
        CHECK(outcome.frames[1].arrivalNs == outcome.startNs + 1'000'000);
        CHECK(outcome.frames[1].callNs == outcome.frames[1].arrivalNs);
        // Every job is assigned to its client.
        REQUIRE(statistics.jobs().size() == 6);
        CHECK(statistics.clients()[0].jobs == 4);
        CHECK(statistics.clients()[1].jobs == 2);
    });
}

TEST_CASE("a client that cannot keep up starts frames late and leaves some unserved [E-4]") {
    vnpu::test::simCase([] {
        // One execution takes more than 10 us, so most of the 100 frames in 1 ms wait.
        const Scenario scenario = scenarioOf("1 ms", kHurried);
        const ScenarioOutcome outcome = runScenario(scenario, loadConfig("edge"), {});
        const auto& client = outcome.clients[0];
        CHECK(client.arrived == 100);
        CHECK(client.executed < 100);
        CHECK(client.executed > 1);
        CHECK(client.late == client.executed - 1);  // all but the first
        CHECK(client.missedDeadlines == 0);         // there is no deadline
        CHECK(client.notStarted() == client.arrived - client.executed);
        for (const auto& frame : outcome.frames) {
            CHECK(frame.callNs < outcome.startNs + 1'000'000);
        }
    });
}

TEST_CASE("the driver refuses frames that cannot meet their deadline [Q-5] [Q-6]") {
    vnpu::test::simCase([] {
        // One execution takes more than 10 us, even on an idle device, so none is started.
        const Scenario scenario = scenarioOf("1 ms", kHurried + "deadline = \"10 us\"\n");
        const ScenarioOutcome outcome = runScenario(scenario, loadConfig("edge"), {});
        const auto& client = outcome.clients[0];
        CHECK(client.missedDeadlines == client.executed);
        CHECK(client.failed == 0);
        REQUIRE(outcome.frames.size() > 1);
        CHECK(outcome.frames[0].status == "MISSED_DEADLINE_PERSISTENT");
        CHECK(outcome.frames[1].status == "MISSED_DEADLINE_PERSISTENT");
    });
}

TEST_CASE("a state stays on the device: no copy once the clients have started [MD-2] [MP-6]") {
    vnpu::test::simCase([] {
        const Scenario scenario =
                parseScenario(vnpu::sim::readScenarioText("recurrent").text, "recurrent.toml");
        Statistics statistics;
        const ScenarioOutcome outcome =
                runScenario(scenario, loadConfig("edge"), {{&statistics}, {}});
        CHECK(unexpectedFailures(scenario, outcome) == 0);
        CHECK(outcome.mistakes == 0);
        CHECK(outcome.clients[0].executed == 20);
        CHECK(outcome.clients[0].outputHash != 0);
        CHECK(statistics.host().copiedBytes == 128);  // int8, its first value
        CHECK(statistics.host().lastCopyNs <= outcome.startNs);
    });
}

TEST_CASE("a closed loop with a count stops there [E-4]") {
    vnpu::test::simCase([] {
        const Scenario scenario = scenarioOf("50 ms",
                                             "[[client]]\nname = \"a\"\nuid = 10101\nmodel = "
                                             "\"zoo:ds_cnn\"\narrival = \"closed_loop\"\n"
                                             "think_time = \"1 ms\"\ncount = 3\n");
        const ScenarioOutcome outcome = runScenario(scenario, loadConfig("edge"), {});
        REQUIRE(outcome.frames.size() == 3);
        CHECK(outcome.frames[0].arrivalNs == outcome.startNs);
        CHECK(outcome.frames[1].arrivalNs == outcome.frames[0].returnNs + 1'000'000);
        CHECK(outcome.frames[2].arrivalNs == outcome.frames[1].returnNs + 1'000'000);
    });
}

TEST_CASE("bursts and fenced executions of batches give the outputs of the other paths [B-1]") {
    vnpu::test::simCase([] {
        std::string clients;
        for (const char* path : {"sync", "burst", "fenced"}) {
            // A different name would give another seed, so outputs are not compared between clients
            // but between frames.
            clients += "[[client]]\nname = \"" + std::string(path) +
                       "\"\nuid = 10101\nmodel = \"zoo:ds_cnn\"\nbatch = 3\narrival = "
                       "\"closed_loop\"\ncount = 3\npath = \"" +
                       path + "\"\n";
        }
        const Scenario scenario =
                parseScenario("[scenario]\nname = \"t\"\nconfig = \"edge\"\n" + clients, "t.toml");
        const ScenarioOutcome outcome = runScenario(scenario, loadConfig("edge"), {});
        CHECK(unexpectedFailures(scenario, outcome) == 0);
        CHECK(outcome.mistakes == 0);
        CHECK(outcome.frames.size() == 9);
        for (const auto& client : outcome.clients) {
            CHECK(client.executed == 3);
            CHECK(client.macs == 3 * 2'656'768);  // of one input: zoo_test.cpp
            CHECK(client.outputHash != 0);
        }
    });
}

TEST_CASE("jobs of clients with the same UID are separate in the trace [Q-1]") {
    vnpu::test::simCase([] {
        const Scenario scenario = scenarioOf("10 ms",
                                             "[[client]]\nname = \"a\"\nuid = 10101\nmodel = "
                                             "\"zoo:ds_cnn\"\narrival = \"periodic\"\n"
                                             "period = \"5 ms\"\n"
                                             "[[client]]\nname = \"b\"\nuid = 10101\nmodel = "
                                             "\"zoo:ds_cnn\"\narrival = \"periodic\"\n"
                                             "period = \"10 ms\"\n");
        Statistics statistics;
        runScenario(scenario, loadConfig("edge"), {{&statistics}, {}});
        CHECK(statistics.clients()[0].jobs == 2);
        CHECK(statistics.clients()[1].jobs == 1);
    });
}

TEST_SUITE_END();

}  // namespace
