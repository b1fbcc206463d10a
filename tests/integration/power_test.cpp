// SPDX-License-Identifier: Apache-2.0
// Clock and power states on the complete platform, in virtual time.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hw_model/blocks/base/device_observer.h"
#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/platform/platform.h"
#include "tests/support/program.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu;
using namespace vnpu::sim;
using namespace std::chrono_literals;
using hw::regs::PowerState;
using vnpu::test::simCase;
using Preference = android::hardware::neuralnetworks::V1_1::ExecutionPreference;
using Status = android::hardware::neuralnetworks::V1_3::ErrorStatus;
using Priority = android::hardware::neuralnetworks::V1_3::Priority;
using Time = std::chrono::nanoseconds;

constexpr auto kDelay = 1ms;

/// Without the cost of page walks: a power-down also empties the TLB.
hw::NpuConfig sleepyMobile() {
    hw::NpuConfig config = loadConfig("mobile");
    config.power.autosuspendUs = 1000;
    config.mmu.walkLevelCycles = 0;
    return config;
}

class PowerWatch : public hw::DeviceObserver {
  public:
    void onPowerState(std::uint64_t, PowerState state, std::uint32_t level) override {
        states.emplace_back(state, level);
    }
    std::size_t count(PowerState state) const {
        std::size_t found = 0;
        for (const auto& entry : states) {
            found += entry.first == state ? 1 : 0;
        }
        return found;
    }
    std::vector<std::pair<PowerState, std::uint32_t>> states;
};

void onDevice(const hw::NpuConfig& config, hw::DeviceObserver* observer,
              const std::function<void(ClientContext&)>& body) {
    Platform platform({.config = config, .deviceObserver = observer});
    platform.addClient("test", 10001, body);
    platform.run();
}

std::unique_ptr<ModelRunner> prepare(ClientContext& context,
                                     Preference preference = Preference::FAST_SINGLE_ANSWER) {
    return ModelRunner::prepare(context, loadNetwork("zoo:ds_cnn"), Priority::MEDIUM, {},
                                preference);
}

Time timeOf(ClientContext& context, ModelRunner& model, ExecutionPath path = ExecutionPath::kSync) {
    const Time begin = context.now();
    CHECK(model.execute(path).status == Status::NONE);
    return context.now() - begin;
}

/// The additional work of the firmware after a power-up compared to a wake-up: the root of one
/// context, and a log record of two writes; 1 cycle is 1 ns.
Time restoreTime(const hw::NpuConfig& config) {
    const double rate = std::min(config.dram.bytesPerCycle,
                                 static_cast<double>(config.interconnect.bytesPerCycle));
    const auto burst = static_cast<int>(std::ceil(config.dma.burstBytes / rate));
    const int write =
            static_cast<int>(config.interconnect.latencyCycles + config.dram.latencyCycles) + burst;
    const int access = static_cast<int>(config.controller.registerCycles);
    return Time(access + (4 + 2 * access) + (12 + 2 * access + 2 * write) - 2 * access);
}

}  // namespace

TEST_SUITE_BEGIN("integration/power");

TEST_CASE("after idle time the first execution takes the wake-up time in addition [B-1] [E-3]") {
    simCase([] {
        const hw::NpuConfig config = sleepyMobile();
        PowerWatch watch;
        onDevice(config, &watch, [&](ClientContext& context) {
            const auto model = prepare(context);
            timeOf(context, *model);
            const Time warm = timeOf(context, *model);
            const std::size_t wakes = watch.count(PowerState::kResuming);
            context.sleepUntil(context.now() + kDelay / 2);
            CHECK(timeOf(context, *model) == warm);
            for (int i = 0; i < 3; ++i) {
                context.sleepUntil(context.now() + 3 * kDelay);
                CHECK(timeOf(context, *model) ==
                      warm + Time(config.power.resumeNs) + restoreTime(config));
            }
            CHECK(watch.count(PowerState::kResuming) == wakes + 3);
        });
    });
}

TEST_CASE("a burst keeps the device awake, until it ends [B-1]") {
    simCase([] {
        PowerWatch watch;
        onDevice(sleepyMobile(), &watch, [&](ClientContext& context) {
            auto model = prepare(context);
            CHECK(model->execute(ExecutionPath::kBurst).status == Status::NONE);
            const std::size_t before = watch.states.size();
            const Time warm = timeOf(context, *model);
            for (int i = 0; i < 3; ++i) {
                context.sleepUntil(context.now() + 5 * kDelay);
                CHECK(timeOf(context, *model, ExecutionPath::kBurst) < warm + 10us);  // its polling
                context.sleepUntil(context.now() + 5 * kDelay);
                CHECK(timeOf(context, *model) == warm);  // awake for every path
            }
            CHECK(watch.states.size() == before);
            const auto kept = prepare(context);
            model = nullptr;
            context.sleepUntil(context.now() + 3 * kDelay);
            CHECK(watch.states.back().first == PowerState::kSuspended);
        });
    });
}

TEST_CASE(
        "a burst raises a low-power model to the fastest clock, and releases it afterwards [B-1]") {
    simCase([] {
        hw::NpuConfig config = loadConfig("mobile");
        PowerWatch watch;
        onDevice(config, &watch, [&](ClientContext& context) {
            const auto slow = prepare(context, Preference::LOW_POWER);
            timeOf(context, *slow);
            CHECK(watch.states.back() == std::pair(PowerState::kActive, 2U));
            auto fast = prepare(context);
            CHECK(fast->execute(ExecutionPath::kBurst).status == Status::NONE);
            CHECK(watch.states.back() == std::pair(PowerState::kActive, 0U));
            timeOf(context, *slow);
            CHECK(watch.states.back() == std::pair(PowerState::kActive, 0U));
            fast = nullptr;
            timeOf(context, *slow);
            CHECK(watch.states.back() == std::pair(PowerState::kActive, 2U));
        });
    });
}

TEST_CASE("results are the same at every clock level, slower levels take longer") {
    simCase([] {
        onDevice(loadConfig("mobile"), nullptr, [&](ClientContext& context) {
            std::vector<std::byte> expected;
            Time last{};
            for (const Preference preference :
                 {Preference::FAST_SINGLE_ANSWER, Preference::SUSTAINED_SPEED,
                  Preference::LOW_POWER}) {
                const auto model = prepare(context, preference);
                for (std::size_t i = 0; i < model->input(0).size(); ++i) {
                    model->input(0)[i] = static_cast<std::byte>(i * 37);
                }
                timeOf(context, *model);
                const Time took = timeOf(context, *model);
                CHECK(took > last);
                last = took;
                const auto output = model->output(0);
                if (expected.empty()) {
                    expected.assign(output.begin(), output.end());
                }
                CHECK(std::equal(output.begin(), output.end(), expected.begin(), expected.end()));
            }
        });
    });
}

TEST_CASE("deadlines are judged correctly on a device that sleeps [Q-5] [Q-6]") {
    simCase([] {
        const hw::NpuConfig config = sleepyMobile();
        onDevice(config, nullptr, [&](ClientContext& context) {
            const auto model = prepare(context);
            timeOf(context, *model);
            timeOf(context, *model);
            const Time warm = timeOf(context, *model);
            const Time cold = warm + Time(config.power.resumeNs);
            const auto ask = [&](Time budget) {
                context.sleepUntil(context.now() + 3 * kDelay);
                return model->execute(ExecutionPath::kSync, context.now() + budget).status;
            };
            CHECK(ask(cold + 5us) == Status::NONE);
            CHECK(ask(cold - 5us) == Status::MISSED_DEADLINE_TRANSIENT);
            CHECK(ask(warm / 2) == Status::MISSED_DEADLINE_PERSISTENT);
            // A call immediately afterwards finds it awake.
            CHECK(ask(warm + 5us) == Status::MISSED_DEADLINE_TRANSIENT);
            context.sleepUntil(context.now() + Time(config.power.resumeNs) + 10us);
            CHECK(model->execute(ExecutionPath::kSync, context.now() + warm + 5us).status ==
                  Status::NONE);
        });
    });
}

TEST_CASE("a job preempted by one at a faster level continues correctly at its own level [Q-3]") {
    const vnpu::test::TemporaryFolder folder;
    std::set<std::string> hashes;
    for (const std::string preference : {"low_power", "fast"}) {
        vnpu::test::writeFile(folder / "two.toml", R"(
[scenario]
name = "two"
duration = "10 ms"
config = "mobile"

[[client]]
name = "slow"
uid = 10001
model = "zoo:sentiment:30"
priority = "low"
arrival = "closed_loop"
preference = ")" + preference + R"("

[[client]]
name = "fast"
uid = 10002
model = "zoo:ds_cnn"
priority = "high"
arrival = "poisson"
rate_hz = 2000
)");
        const auto result = vnpu::test::runVnpu({"run", (folder / "two.toml").string(), "--out",
                                                 (folder / preference).string(), "--no-isolated"});
        REQUIRE_MESSAGE(result.exitCode == 0, result.errors);  // all of its outputs are the same
        const auto json =
                nlohmann::json::parse(vnpu::test::readFile(folder / preference / "metrics.json"));
        const double preemptions = json.at("scheduling").at("figures").at("preemptions");
        const double switches = json.at("power").at("clock_switches");
        CHECK(preemptions > 5);
        CHECK(switches >= (preference == "fast" ? 0 : 2 * preemptions));
        CHECK((switches == 0) == (preference == "fast"));
        hashes.insert(json.at("clients").at(0).at("output_hash").get<std::string>());
    }
    CHECK(hashes.size() == 1);
}

TEST_CASE("runs with sleep and clock levels are reproducible byte for byte [E-4]") {
    const vnpu::test::TemporaryFolder folder;
    vnpu::test::writeFile(folder / "levels.toml", R"(
[scenario]
name = "levels"
duration = "50 ms"
config = "mobile"

[power]
autosuspend_us = 500

[[client]]
name = "slow"
uid = 10001
model = "zoo:ds_cnn"
preference = "low_power"
arrival = "poisson"
rate_hz = 200

[[client]]
name = "fast"
uid = 10002
model = "zoo:ds_cnn"
arrival = "poisson"
rate_hz = 200
)");
    std::set<std::string> texts;
    for (const char* name : {"a", "b"}) {
        const auto result =
                vnpu::test::runVnpu({"run", (folder / "levels.toml").string(), "--out",
                                     (folder / name).string(), "--trace", "perfetto,vcd"});
        REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
        std::string all;
        for (const char* file : {"jobs.csv", "metrics.json", "trace.vcd", "trace.perfetto-trace"}) {
            all += vnpu::test::readFile(folder / name / file);
        }
        CHECK(all.find("suspended") != std::string::npos);
        CHECK(all.find("active 500 MHz") != std::string::npos);
        texts.insert(all);
    }
    CHECK(texts.size() == 1);
}

TEST_SUITE_END();
