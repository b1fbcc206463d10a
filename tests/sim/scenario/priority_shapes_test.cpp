// SPDX-License-Identifier: Apache-2.0
// How two clients of one model affect each other, as measured on a Qualcomm NPU
// (sim/scenarios/qualcomm_priorities.toml), with a smaller model and a shorter time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/percentile.h"
#include "sim/config/load_config.h"
#include "sim/scenario/run_scenario.h"
#include "sim/scenario/scenario_reader.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;

/// A client alone for the first 50 ms, then two of the same model for 350 ms, each of which calls
/// again after each answer.
ScenarioOutcome runTwo(const std::string& scheduling, const std::string& priority,
                       const std::string& otherPriority) {
    const auto client = [](const std::string& name, const std::string& uid,
                           const std::string& more) {
        return "[[client]]\nname = \"" + name + "\"\nuid = " + uid +
               "\nmodel = \"zoo:mobilenet_v1\"\narrival = \"closed_loop\"\n" + more;
    };
    const Scenario scenario = parseScenario(
            "[scenario]\nname = \"t\"\nduration = \"400 ms\"\nconfig = \"edge\"\n"
            "timing_only = true\n[scheduling]\nstrategy = \"device\"\nquantum_us = 1000\n" +
                    scheduling + client("alone", "10100", "count = 3\n") +
                    client("a", "10101", "phase = \"50 ms\"\npriority = \"" + priority + "\"\n") +
                    client("b", "10102",
                           "phase = \"50 ms\"\npriority = \"" + otherPriority + "\"\n"),
            "t.toml");
    vnpu::hw::NpuConfig config = loadConfig("edge");
    config.timingOnly = true;
    return runScenario(scenario, config, {});
}

double medianNs(const ScenarioOutcome& outcome, std::uint32_t client) {
    std::vector<std::uint64_t> latencies;
    for (const FrameRecord& frame : outcome.frames) {
        if (frame.client == client) {
            latencies.push_back(frame.latencyNs());
        }
    }
    std::sort(latencies.begin(), latencies.end());
    return static_cast<double>(nearestRank(latencies, 50.0));
}

constexpr std::uint32_t kAlone = 0, kA = 1, kB = 2;
constexpr double kQuantumNs = 1e6;  // of runTwo's scenario

TEST_SUITE_BEGIN("sim/scenario/priority_shapes");

TEST_CASE("with equal priorities both clients take twice as long [Q-2]") {
    vnpu::test::simCase([] {
        const ScenarioOutcome outcome = runTwo("", "medium", "medium");
        const double alone = medianNs(outcome, kAlone);
        // Twice the time, plus the switches: four quanta of 1 ms in an execution of 3.2 ms.
        CHECK(medianNs(outcome, kA) / alone == doctest::Approx(2.1).epsilon(0.1));
        CHECK(medianNs(outcome, kB) / alone == doctest::Approx(2.1).epsilon(0.1));
    });
}

TEST_CASE("a higher priority starves a lower one [Q-1] [Q-2]") {
    vnpu::test::simCase([] {
        const ScenarioOutcome outcome = runTwo("", "low", "high");
        CHECK(medianNs(outcome, kB) / medianNs(outcome, kAlone) ==
              doctest::Approx(1.0).epsilon(0.1));
        CHECK(outcome.clients[kA].executed == 1);
        CHECK(medianNs(outcome, kA) > 350e6);  // after the other client had ended
    });
}

TEST_CASE("with the anti-starvation share, a higher priority does not starve a lower one [Q-2]") {
    vnpu::test::simCase([] {
        const ScenarioOutcome outcome = runTwo("starvation_share = 0.1\n", "low", "high");
        // The number of executions in 350 ms if one client had the device alone.
        const double all = 350e6 / medianNs(outcome, kAlone);
        // A tenth of them, of which switches take up to half; one is in progress at the end.
        CHECK(outcome.clients[kA].executed + 1 >= 0.05 * all);
        CHECK(outcome.clients[kA].executed <= 0.1 * all + 1);
        // The other client loses that tenth and the switches. One execution is in progress at the
        // end, and a turn of the first client may be due, which lasts one quantum. It loses nothing
        // by turns during its own work on the host between two executions, and the first client
        // forfeits up to one quantum with each end of an execution.
        const auto host = loadConfig("edge").host;
        const double hostNs = host.submitNs + host.interruptNs + host.completeNs;
        const double quanta = 1.0 + static_cast<double>(outcome.clients[kA].executed);
        const double most = 0.9 * all * (1 + hostNs / medianNs(outcome, kAlone)) + 1 +
                            quanta * kQuantumNs / medianNs(outcome, kAlone);
        CHECK(outcome.clients[kB].executed >= 0.86 * all);
        CHECK(outcome.clients[kB].executed <= most);
    });
}

TEST_SUITE_END();

}  // namespace
