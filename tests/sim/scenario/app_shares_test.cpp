// SPDX-License-Identifier: Apache-2.0
// How apps share the device by strategy and mechanism, with the clients of
// sim/scenarios/two_apps.toml on smaller models.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "sim/config/load_config.h"
#include "sim/scenario/run_scenario.h"
#include "sim/scenario/scenario_reader.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::simCase;

/// The time that each client's jobs have the device, by the marks of the firmware on the timeline.
class DeviceTime : public EventSink {
  public:
    void onFirmwareEvent(std::uint64_t timeNs, std::string_view event,
                         const JobInfo* job) override {
        if (event == "job-start" || event == "resumed" || event == "restarted") {
            startNs_ = timeNs;
        } else if (event == "job-end" || event == "preempted" || event == "stopped") {
            ns[job->client] += timeNs - startNs_;
            startNs_ = timeNs;
        }
    }

    std::map<std::uint32_t, std::uint64_t> ns;

  private:
    std::uint64_t startNs_ = 0;
};

constexpr std::uint32_t kHigh = 0, kOwnLow = 1, kLow = 2, kOtherLow = 3, kRare = 4;

struct SharedRun {
    ScenarioOutcome outcome;
    double firstShare = 0.0;  // of the first app in the time of the two that saturate the device
    std::uint64_t longestRareNs = 0;

    std::uint64_t executed(std::uint32_t client) const { return outcome.clients[client].executed; }
};

/// 400 ms of a HIGH and a LOW client of one app, two LOW ones of another app, and a third app. Each
/// of the first two always has a job that waits.
SharedRun shareDevice(const std::string& scheduling) {
    const auto client = [](const std::string& name, const std::string& uid,
                           const std::string& model, const std::string& more) {
        return "[[client]]\nname = \"" + name + "\"\nuid = " + uid + "\nmodel = \"zoo:" + model +
               "\"\n" + more;
    };
    const std::string loop = "arrival = \"closed_loop\"\n";
    const Scenario scenario = parseScenario(
            "[scenario]\nname = \"t\"\nduration = \"400 ms\"\nconfig = \"edge\"\n"
            "timing_only = true\n[scheduling]\n" +
                    scheduling +
                    client("high", "10101", "mobilenet_v1", loop + "priority = \"high\"\n") +
                    client("own_low", "10101", "ds_cnn", loop + "priority = \"low\"\n") +
                    client("low", "10102", "mobilenet_v2", loop + "priority = \"low\"\n") +
                    client("other_low", "10102", "ds_cnn", loop + "priority = \"low\"\n") +
                    client("rare", "10103", "ds_cnn",
                           "arrival = \"periodic\"\nrate_hz = 70\nphase = \"5 ms\"\n"),
            "t.toml");
    vnpu::hw::NpuConfig config = loadConfig("edge");
    config.timingOnly = true;
    DeviceTime time;
    SharedRun run{.outcome = runScenario(scenario, config, {.sinks = {&time}, .onProgress = {}})};
    const auto first = static_cast<double>(time.ns[kHigh] + time.ns[kOwnLow]);
    const auto second = static_cast<double>(time.ns[kLow] + time.ns[kOtherLow]);
    run.firstShare = first / (first + second);
    for (const FrameRecord& frame : run.outcome.frames) {
        if (frame.client == kRare) {
            run.longestRareNs = std::max(run.longestRareNs, frame.latencyNs());
        }
    }
    return run;
}

void checkEvenShares(const std::string& scheduling) {
    const SharedRun run = shareDevice(scheduling);
    CHECK(run.firstShare > 0.45);
    CHECK(run.firstShare < 0.55);
}

TEST_SUITE_BEGIN("sim/scenario/app_shares");

TEST_CASE("apps get even shares when the running job ends first [Q-1] [Q-3]") {
    simCase([] { checkEvenShares("mechanism = \"none\"\ncheckpoint_us = 0\n"); });
}

TEST_CASE("apps get even shares when jobs are saved between operations [Q-1] [Q-3]") {
    simCase([] { checkEvenShares("granularity = \"operation\"\n"); });
}

TEST_CASE("apps get even shares when jobs are saved at any checkpoint [Q-1] [Q-3]") {
    simCase([] { checkEvenShares(""); });
}

TEST_CASE("apps get even shares when jobs are stopped and start again [Q-1] [Q-3]") {
    simCase([] { checkEvenShares("mechanism = \"restart\"\ncheckpoint_us = 0\n"); });
}

TEST_CASE("apps get even shares when the cheapest mechanism is chosen [Q-1] [Q-3]") {
    simCase([] { checkEvenShares("mechanism = \"dynamic\"\n"); });
}

TEST_CASE("apps get even shares when the rings of an app take turns [Q-1] [Q-3]") {
    simCase([] { checkEvenShares("policy = \"round_robin\"\nquantum_us = 300\n"); });
}

TEST_CASE("apps get even shares when the jobs of an app have tokens [Q-1] [Q-3]") {
    simCase([] { checkEvenShares("policy = \"tokens\"\nperiod_us = 250\n"); });
}

TEST_CASE("within an app the HIGH client goes before the LOW one [Q-1]") {
    simCase([] {
        const SharedRun run = shareDevice("");
        // The LOW client has the gaps between two frames of the HIGH one, a frame of 0.04 ms each.
        CHECK(run.executed(kOwnLow) <= run.executed(kHigh) + 1);
        CHECK(run.executed(kHigh) > 50);
    });
}

TEST_CASE("a third app waits for one checkpoint interval [Q-1]") {
    simCase([] {
        const SharedRun run = shareDevice("");
        CHECK(run.executed(kRare) == 28);
        // Alone 39 us; an interval of 50 us, and the saving of another job's data, at most 140 us
        // for the whole SRAM.
        CHECK(run.longestRareNs < 39'000 + 50'000 + 140'000);
    });
}

TEST_CASE("without preemption a third app waits for the running job [Q-3]") {
    simCase([] {  // mobilenet_v1 takes 3 ms
        CHECK(shareDevice("mechanism = \"none\"\n").longestRareNs > 1'000'000);
    });
}

TEST_CASE("with the device's order, the HIGH client of one app starves the others [Q-3]") {
    simCase([] { CHECK(shareDevice("strategy = \"device\"\n").firstShare > 0.9); });
}

TEST_SUITE_END();

}  // namespace
