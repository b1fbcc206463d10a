// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/refusal_judge.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "sim/config/load_config.h"
#include "sim/scenario/run_scenario.h"
#include "sim/scenario/scenario_reader.h"
#include "sim/trace/statistics.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;

/// A client without competition, so that only its deadline can be missed.
ScenarioOutcome runAlone(const std::string& deadline, bool isJudging) {
    const Scenario scenario = parseScenario(
            "[scenario]\nname = \"t\"\nduration = \"60 ms\"\nconfig = \"edge\"\n"
            "timing_only = true\njudge_refusals = " +
                    std::string(isJudging ? "true" : "false") +
                    "\n[[client]]\nname = \"a\"\nuid = 10101\nmodel = \"zoo:mobilenet_v2\"\n"
                    "arrival = \"periodic\"\nperiod = \"20 ms\"\ndeadline = \"" +
                    deadline + "\"\n",
            "t.toml");
    vnpu::hw::NpuConfig config = loadConfig("edge");
    config.timingOnly = true;
    Statistics statistics;
    return runScenario(scenario, config, {{&statistics}, {}});
}

/// Of one client, 900 ns after arrival.
Scenario withDeadline() {
    Scenario scenario;
    scenario.judgesRefusals = true;
    scenario.clients.resize(1);
    scenario.clients[0].deadlineNs = 900;
    return scenario;
}

/// A judge before it is asked about call 5, frame 7 of the only client.
struct Refusal {
    Refusal() {
        stream.beginFrame(0, 7, 100, 200);
        stream.onCallBegin(std::chrono::nanoseconds(200), "execute_1_3", 5, 10101);
    }

    const Scenario scenario = withDeadline();
    EventStream stream{{}, {{"a", 10101, "m", "high", {}}}};
    RefusalJudge judge{scenario, stream};
};

TEST_SUITE_BEGIN("sim/scenario/refusal_judge");

TEST_CASE("the refusal of a deadline of half the model's time is judged right [Q-6]") {
    vnpu::test::simCase([] {
        const ScenarioOutcome outcome = runAlone("1.6 ms", true);  // it takes 3.24 ms
        REQUIRE(outcome.frames.size() == 3);
        for (const FrameRecord& frame : outcome.frames) {
            CHECK(frame.isRefused);
            CHECK(frame.refusal == RefusalVerdict::kRight);
        }
    });
}

TEST_CASE("judging changes nothing in the run [Q-6] [E-4]") {
    vnpu::test::simCase([] {
        const ScenarioOutcome outcome = runAlone("1.6 ms", false);
        REQUIRE(outcome.frames.size() == 3);
        CHECK(outcome.frames[2].refusal == RefusalVerdict::kNotJudged);
        CHECK(outcome.frames[2].arrivalNs == outcome.startNs + 40'000'000);
        // A refused call costs only host work: microseconds, not an execution.
        CHECK(outcome.frames[2].latencyNs() < 100'000);
    });
}

TEST_CASE("a twin that meets its deadline makes the refusal wrong [Q-6]") {
    vnpu::test::simCase([] {
        Refusal refusal;
        RefusalJudge& judge = refusal.judge;
        if (judge.insists(5)) {
            CHECK(judge.isTwin());
            CHECK_FALSE(judge.insists(5));     // false for all later calls
            judge.onFrameResult(0, 6, false);  // another frame
            judge.onFrameResult(0, 7, true);
        }
        CHECK_FALSE(judge.isTwin());
        CHECK(judge.verdictOf(0, 7) == RefusalVerdict::kWrong);
        CHECK_FALSE(judge.verdictOf(0, 6).has_value());
        CHECK_NOTHROW(judge.finish());
    });
}

TEST_CASE("a twin ends when its deadline has passed [Q-6]") {
    vnpu::test::simCase([] {
        Refusal refusal;
        RefusalJudge& judge = refusal.judge;
        if (judge.insists(5)) {
            const vnpu::hw::EngineCommandRecord record{};
            judge.onEngineCommand({.record = record, .startNs = 1000});  // not yet
            judge.onEngineCommand({.record = record, .startNs = 1001});
            judge.onFrameResult(0, 7, true);
        }
        CHECK(judge.verdictOf(0, 7) == RefusalVerdict::kRight);
    });
}

TEST_CASE("a twin whose execution never ends is reported as an error [Q-6]") {
    vnpu::test::simCase([] {
        Refusal refusal;
        RefusalJudge& judge = refusal.judge;
        if (judge.insists(5)) {
            judge.finish();
        }
        CHECK(judge.verdictOf(0, 7) == RefusalVerdict::kNotJudged);
        CHECK_THROWS_WITH(judge.finish(), "the twin of a refused execution: exit code 2");
    });
}

TEST_CASE("an execution that is not refused has no verdict [Q-6]") {
    vnpu::test::simCase([] {
        const ScenarioOutcome outcome = runAlone("10 ms", true);
        REQUIRE(outcome.frames.size() == 3);
        CHECK(outcome.frames[0].isOk);
        CHECK_FALSE(outcome.frames[0].refusal.has_value());
    });
}

TEST_SUITE_END();

}  // namespace
