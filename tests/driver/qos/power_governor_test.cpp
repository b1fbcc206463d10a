// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/power_governor.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "driver/execution/device_runtime.h"
#include "driver/qos/clock_level.h"
#include "tests/driver/support/burst_support.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
using namespace std::chrono_literals;
namespace fw = vnpu::fw;
namespace hal = vnpu::hal;
namespace regs = vnpu::hw::regs;
using nn::V1_3::Priority;
using Preference = PowerGovernor::Preference;

TEST_SUITE_BEGIN("driver/qos/power_governor");

namespace {

constexpr std::uint32_t kModelBytes = 16;
constexpr std::uint32_t kDelayUs = 1000;
constexpr auto kSuspend = 50us;
constexpr auto kResume = 200us;
constexpr auto kSwitch = 20us;

/// Levels of 1000, 800 and 500 MHz; the second one can be sustained.
void addPower(FakeDevicePort& port, std::uint32_t autosuspendUs) {
    port.setRegister(regs::ConfigPower::kSpec.offset,
                     regs::ConfigPower::kLevels.put(3) | regs::ConfigPower::kSustained.put(1));
    port.setRegister(regs::ConfigClockLevel::kSpec.at(1), 800'000);
    port.setRegister(regs::ConfigClockLevel::kSpec.at(2), 500'000);
    port.setRegister(regs::ConfigAutosuspend::kSpec.offset, autosuspendUs);
    port.setRegister(regs::ConfigSuspend::kSpec.offset, 50'000);
    port.setRegister(regs::ConfigResume::kSpec.offset, 200'000);
    port.setRegister(regs::ConfigClockSwitch::kSpec.offset, 20'000);
}

/// Creates the service again, on a device with levels that sleeps.
void rebuild(Service& service, std::uint32_t autosuspendUs = kDelayUs) {
    service.device = nullptr;
    addPower(service.port, autosuspendUs);
    DriverOptions options;
    options.observer = &service.observer;
    auto runtime = DeviceRuntime::create(service.port, options);
    REQUIRE(runtime.has_value());
    service.device = new NpuDevice(std::move(*runtime), service.compiler.functions());
}

std::vector<std::uint32_t> votes(const Service& service) {
    std::vector<std::uint32_t> values;
    for (const fw::Message& message : service.port.messages()) {
        if (message.type == fw::MessageType::kSetPower) {
            values.push_back(message.value);
        }
    }
    return values;
}

/// A model on a sleeping device, and executions with deadlines.
struct Sleeper {
    Sleeper() : input(kModelBytes), output(kModelBytes) {
        service.compiler.estimatedCycles = FakeDevicePort::kJobCycles;
        rebuild(service);
        prepared = service.prepare(reluModel({1, kModelBytes}));
        REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
        CHECK_EQ(executeWithin(10ms), ErrorStatus::NONE);  // teaches the overhead
    }
    ErrorStatus executeWithin(std::chrono::nanoseconds budget) {
        return executeSync(prepared.model, requestOf(input, output, kModelBytes),
                           nn::V1_2::MeasureTiming::NO, at(service.port.now() + budget))
                .status;
    }
    void fallAsleep() { service.port.advance(std::chrono::microseconds(kDelayUs) + kSuspend); }

    Service service;
    PrepareOutcome prepared;
    Pool input, output;
};

}  // namespace

TEST_CASE("a model's jobs run at the level of its preference") {
    Service service;
    rebuild(service, 0);
    const Pool input(kModelBytes);
    const Pool output(kModelBytes);
    const auto levelOf = [&](Preference preference) {
        const PrepareOutcome prepared =
                service.prepare(reluModel({1, kModelBytes}), Priority::MEDIUM, {}, preference);
        REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
        CHECK_EQ(executeSync(prepared.model, requestOf(input, output, kModelBytes)).status,
                 ErrorStatus::NONE);
        return service.port.jobs().back().slot.clockLevel;
    };
    CHECK_EQ(levelOf(Preference::FAST_SINGLE_ANSWER), 0);
    CHECK_EQ(levelOf(Preference::SUSTAINED_SPEED), 1);
    CHECK_EQ(levelOf(Preference::LOW_POWER), 2);
    CHECK(votes(service).empty());
}

TEST_CASE("a model is compiled and estimated for its level [Q-5]") {
    Service service;
    rebuild(service, 0);
    service.compiler.estimatedCycles = 3000;
    const PrepareOutcome prepared = service.prepare(reluModel({1, kModelBytes}), Priority::MEDIUM,
                                                    {}, Preference::LOW_POWER);
    REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    // With half the clock, the same number of cycles takes twice the time.
    CHECK_EQ(service.compiler.seenOptions.back().checkpointCycles,
             SchedulingOptions{}.checkpointCycles / 2);
    CHECK_EQ(compiledModelOf(prepared.model)->estimatedCycles, 6000);
}

TEST_CASE("at a low clock memory takes fewer cycles") {
    FakeDevicePort port;
    addPower(port, 0);
    const auto info = DeviceInfo::read(port);
    REQUIRE(info.has_value());
    const DeviceInfo slow = atLevel(*info, 2);
    CHECK_EQ(slow.dramBytesPerCycle, 2 * info->dramBytesPerCycle);
    CHECK_EQ(slow.dramLatencyCycles, 60);  // of 120
    CHECK_EQ(atLevel(*info, 0).dramLatencyCycles, 120);
    CHECK_EQ(toLevelCycles(1000, *info, 1), 800);
    CompiledModel compiled;
    compiled.estimatedCycles = 800;
    compiled.longestIntervalCycles = 80;
    compiled.operations.emplace_back();
    compiled.operations[0].cycles = 8;
    toDeviceCycles(compiled, *info, 1);
    CHECK_EQ(compiled.estimatedCycles, 1000);
    CHECK_EQ(compiled.longestIntervalCycles, 100);
    CHECK_EQ(compiled.operations[0].cycles, 10);
}

TEST_CASE(
        "the first burst holds the device at its highest level, and the end of the last one "
        "releases it [B-1]") {
    using Listener = BurstService::Listener;
    for (const Listener listener : {Listener::kSystemThread, Listener::kHostThread}) {
        BurstService target(listener);
        target.prepared = {};
        rebuild(target.service);
        target.prepared = target.service.prepare(reluModel({1, BurstService::kBytes}));
        REQUIRE_EQ(target.prepared.status, ErrorStatus::NONE);
        const auto connect = [&] {
            auto made = hal::ExecutionBurstController::create(target.prepared.model, {});
            REQUIRE(made.has_value());
            return std::move(*made);
        };
        auto first = connect();
        CHECK_EQ(votes(target.service), std::vector<std::uint32_t>{fw::kPowerHeld});
        auto second = connect();
        first = nullptr;
        CHECK_EQ(votes(target.service).size(), 1);
        second = nullptr;
        target.service.port.joinPosted();
        CHECK_EQ(votes(target.service), std::vector<std::uint32_t>{fw::kPowerHeld, 0});
    }
}

TEST_CASE("a device with one power state gets no votes [B-1]") {
    BurstService target;
    auto burst = hal::ExecutionBurstController::create(target.prepared.model, {});
    REQUIRE(burst.has_value());
    *burst = nullptr;
    CHECK(votes(target.service).empty());
}

TEST_CASE("a held power level is held again after a device reset [B-1] [E-7]") {
    BurstService target;
    target.prepared = {};
    rebuild(target.service);
    target.prepared = target.service.prepare(reluModel({1, BurstService::kBytes}));
    auto burst = hal::ExecutionBurstController::create(target.prepared.model, {});
    REQUIRE(burst.has_value());
    target.service.port.hangUntilReset();
    const auto outcome = (*burst)->compute(target.request(), nn::V1_2::MeasureTiming::NO, {1, 2});
    CHECK_EQ(outcome.result.status, nn::V1_0::ErrorStatus::NONE);
    target.service.port.joinPosted();
    CHECK_EQ(votes(target.service), std::vector<std::uint32_t>{fw::kPowerHeld, fw::kPowerHeld});
}

TEST_CASE("a firmware without power votes works without them") {
    BurstService target;
    target.prepared = {};
    rebuild(target.service);
    target.prepared = target.service.prepare(reluModel({1, BurstService::kBytes}));
    target.service.port.refuse(fw::MessageType::kSetPower, fw::MessageStatus::kUnknownType);
    auto burst = hal::ExecutionBurstController::create(target.prepared.model, {});
    REQUIRE(burst.has_value());
    const auto outcome = (*burst)->compute(target.request(), nn::V1_2::MeasureTiming::NO, {1, 2});
    CHECK_EQ(outcome.result.status, nn::V1_0::ErrorStatus::NONE);
    CHECK(target.service.observer.hasLogged("power state is left to the firmware"));
}

TEST_CASE("the time at which the device is ready follows from its last work [Q-5]") {
    FakeDevicePort port;
    addPower(port, kDelayUs);
    auto runtime = DeviceRuntime::create(port, {});
    REQUIRE(runtime.has_value());
    PowerGovernor& power = (*runtime)->power();
    power.onJobBegin(0);
    port.advance(10ms);
    CHECK_EQ(power.readyIn(0), 0us);  // it is working
    CHECK_EQ(power.readyIn(2), kSwitch);
    power.onJobEnd();
    port.advance(999us);
    CHECK_EQ(power.readyIn(0), 0us);
    port.advance(1us + 10us);  // 10 us into the power-down
    CHECK_EQ(power.readyIn(0), kSuspend - 10us + kResume);
    port.advance(1ms);
    CHECK_EQ(power.readyIn(0), kResume);
    CHECK_EQ(power.readyIn(1), kResume + kSwitch);
    {
        const PowerGovernor::Hold held = power.hold();
        CHECK_EQ(power.readyIn(2), 0us);  // held at the fastest level, which it has
        port.advance(10ms);
        CHECK_EQ(power.readyIn(0), 0us);
    }
    CHECK_EQ(power.readyIn(0), 0us);  // the delay begins now
    port.advance(2ms);
    CHECK_EQ(power.readyIn(0), kResume);
    power.wake();
    CHECK_EQ(power.readyIn(0), 0us);
}

TEST_CASE("a deadline that a sleeping device cannot keep may be kept soon after [Q-5] [Q-6]") {
    Sleeper sleeper;
    CHECK_EQ(sleeper.executeWithin(100us), ErrorStatus::NONE);
    sleeper.fallAsleep();
    CHECK_EQ(sleeper.executeWithin(100us), ErrorStatus::MISSED_DEADLINE_TRANSIENT);
    CHECK_EQ(sleeper.executeWithin(100us), ErrorStatus::NONE);  // the request woke it
    sleeper.fallAsleep();
    CHECK_EQ(sleeper.executeWithin(300us), ErrorStatus::NONE);  // including the time to wake up
    sleeper.fallAsleep();
    CHECK_EQ(sleeper.executeWithin(5us), ErrorStatus::MISSED_DEADLINE_PERSISTENT);
}

TEST_SUITE_END();
