// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/device_forecast.h"

#include <doctest/doctest.h>

namespace vnpu::driver {
namespace {

using namespace std::chrono_literals;
using Job = DeviceForecast::Job;
using Time = DeviceForecast::Time;

Job job(std::uint32_t uid, std::uint32_t priority, Time service, Deadline deadline = {}) {
    return {.uid = uid, .halPriority = priority, .service = service, .deadline = deadline};
}

SchedulingOptions with(fw::Policy policy, fw::Mechanism mechanism = fw::Mechanism::kNone) {
    SchedulingOptions options;
    options.strategy = Strategy::kDevice;
    options.policy = policy;
    options.mechanism = mechanism;
    return options;
}

constexpr std::uint64_t kClockHz = 1'000'000'000;

/// UIDs get even shares by slices of 20 us.
DeviceForecast evenShares(fw::Mechanism mechanism) {
    SchedulingOptions options = with(fw::Policy::kBands, mechanism);
    options.strategy = Strategy::kApps;
    options.appSliceCycles = 20'000;
    return DeviceForecast(options, kClockHz);
}

}  // namespace

TEST_SUITE_BEGIN("driver/qos/device_forecast");

TEST_CASE(
        "on an idle device a job takes service and overhead; behind others the overhead is hidden "
        "[Q-5]") {
    DeviceForecast forecast(with(fw::Policy::kFirstCome), kClockHz);
    Job first = job(1, 1, 100us);
    first.overhead = 10us;
    CHECK(forecast.finishIf(first, 1000us) == 1110us);
    const auto id = forecast.add(first, 1000us);
    CHECK(forecast.finishOf(id, 1050us) == 1110us);  // it has run for 50 us
    CHECK(forecast.finishIf(first, 1050us) == 1210us);
    CHECK(forecast.finishOf(id, 1200us) == 1200us);  // late: may end at any time
    CHECK(forecast.remove(id, 1200us));
    CHECK(forecast.finishIf(first, 1200us) == 1310us);
}

TEST_CASE("jobs that overlapped with others are distinguished from those that ran alone") {
    DeviceForecast forecast(with(fw::Policy::kFirstCome), kClockHz);
    const auto first = forecast.add(job(1, 1, 100us), 0us);
    const auto second = forecast.add(job(2, 1, 100us), 50us);
    CHECK_FALSE(forecast.remove(first, 100us));
    CHECK_FALSE(forecast.remove(second, 200us));
    CHECK(forecast.remove(forecast.add(job(1, 1, 100us), 300us), 400us));
}

TEST_CASE("without preemption a job waits for the running one, then by band [Q-2]") {
    DeviceForecast forecast(with(fw::Policy::kBands), kClockHz);
    forecast.add(job(1, 0, 100us), 0us);
    forecast.add(job(2, 0, 40us), 0us);
    forecast.add(job(3, 1, 30us), 0us);
    CHECK(forecast.finishIf(job(4, 2, 10us), 20us) == 110us);  // 80 left of the first
    CHECK(forecast.finishIf(job(4, 1, 10us), 20us) == 140us);  // at its turn after the third
    CHECK(forecast.finishIf(job(1, 0, 10us), 20us) == 180us);  // after the second UID's turn
}

TEST_CASE("a higher band waits only until the running job is stopped [Q-3]") {
    DeviceForecast forecast(with(fw::Policy::kBands, fw::Mechanism::kCheckpoint), kClockHz);
    Job low = job(1, 0, 100us);
    low.yield = 5us;
    const auto first = forecast.add(low, 0us);
    CHECK(forecast.finishIf(job(2, 2, 10us), 20us) == 35us);
    const auto high = forecast.add(job(2, 2, 10us), 20us);
    CHECK(forecast.finishOf(first, 20us) == 115us);  // 80 left after 15
    forecast.remove(high, 35us);
    CHECK(forecast.finishOf(first, 35us) == 115us);
    CHECK(forecast.finishIf(job(3, 0, 10us), 35us) == 125us);
}

TEST_CASE("a stopped job starts over [Q-3]") {
    DeviceForecast forecast(with(fw::Policy::kBands, fw::Mechanism::kRestart), kClockHz);
    const auto first = forecast.add(job(1, 0, 100us), 0us);
    forecast.add(job(2, 2, 10us), 20us);
    CHECK(forecast.finishOf(first, 20us) == 130us);
}

TEST_CASE("a job that was stopped often enough runs to its end [Q-3]") {
    DeviceForecast forecast(with(fw::Policy::kBands, fw::Mechanism::kRestart), kClockHz);
    forecast.add(job(1, 0, 100us), 0us);
    forecast.remove(forecast.add(job(2, 2, 10us), 0us), 10us);  // before it began
    Time now = 30us;
    for (std::uint32_t restart = 0; restart < fw::kMaxRestarts; ++restart) {
        CHECK(forecast.finishIf(job(2, 2, 10us), now) == now + 10us);
        const auto high = forecast.add(job(2, 2, 10us), now);
        now += 10us;
        forecast.remove(high, now);
        now += 20us;
    }
    CHECK(forecast.finishIf(job(2, 2, 10us), now) == now + 80us + 10us);
}

TEST_CASE("a job behind others has begun when they end, before the driver knows of it [Q-3]") {
    DeviceForecast forecast(with(fw::Policy::kBands, fw::Mechanism::kRestart), kClockHz);
    auto high = forecast.add(job(2, 2, 10us), 0us);
    forecast.add(job(1, 0, 100us), 0us);
    Time now = 10us;
    for (std::uint32_t restart = 0; restart < fw::kMaxRestarts; ++restart) {
        forecast.remove(high, now);
        CHECK(forecast.finishIf(job(2, 2, 10us), now) == now + 10us);
        high = forecast.add(job(2, 2, 10us), now);
        now += 10us;
    }
    forecast.remove(high, now);
    CHECK(forecast.finishIf(job(2, 2, 10us), now) == now + 100us + 10us);
}

TEST_CASE("the shortest, the earliest deadline and the least laxity come first") {
    DeviceForecast shortest(with(fw::Policy::kShortestFirst), kClockHz);
    shortest.add(job(1, 1, 10us), 0us);
    shortest.add(job(2, 1, 50us), 0us);
    shortest.add(job(3, 1, 20us), 0us);
    CHECK(shortest.finishIf(job(4, 1, 30us), 0us) == 60us);

    DeviceForecast earliest(with(fw::Policy::kEarliestDeadline), kClockHz);
    earliest.add(job(1, 1, 10us), 0us);
    earliest.add(job(2, 1, 50us, 100us), 0us);
    earliest.add(job(3, 1, 20us), 0us);  // no deadline: last
    CHECK(earliest.finishIf(job(4, 1, 30us, 200us), 0us) == 90us);
    CHECK(earliest.finishIf(job(4, 1, 30us, 90us), 0us) == 40us);

    DeviceForecast laxity(with(fw::Policy::kLeastLaxity), kClockHz);
    laxity.add(job(1, 1, 10us), 0us);
    laxity.add(job(2, 1, 50us, 100us), 0us);                             // laxity 50
    CHECK(laxity.finishIf(job(4, 1, 70us, 110us), 0us) == 80us);         // 40
    CHECK(laxity.finishIf(job(4, 1, 30us, 110us), 0us) == 10us + 80us);  // 80
}

TEST_CASE("with a quantum jobs of one band share, each other one as long as it lasts [Q-2]") {
    SchedulingOptions options = with(fw::Policy::kBands);
    options.quantumCycles = {1000, 1000, 1000, 1000};
    DeviceForecast forecast(options, kClockHz);
    forecast.add(job(1, 1, 100us), 0us);
    forecast.add(job(2, 1, 20us), 0us);
    CHECK(forecast.finishIf(job(3, 1, 50us), 0us) == 120us);  // 50 and 20 of the others
    CHECK(forecast.finishIf(job(3, 0, 50us), 0us) == 170us);
}

TEST_CASE("queues in the driver take UIDs in turn, and of one the highest priority [Q-3]") {
    SchedulingOptions options;
    options.strategy = Strategy::kQueue;
    DeviceForecast forecast(options, kClockHz);
    forecast.add(job(1, 0, 100us), 0us);
    forecast.add(job(1, 0, 20us), 0us);
    forecast.add(job(2, 0, 30us), 0us);
    CHECK(forecast.finishIf(job(1, 2, 5us), 0us) ==
          135us);  // after the turn of UID 2, before the other job of its UID
    CHECK(forecast.finishIf(job(2, 2, 5us), 0us) == 105us);
    CHECK(forecast.finishIf(job(3, 2, 5us), 0us) == 135us);
}

TEST_CASE("UIDs get even shares whatever their priorities [Q-1]") {
    DeviceForecast forecast = evenShares(fw::Mechanism::kCheckpoint);
    forecast.add(job(1, 2, 100us), 0us);
    // UID 2 goes after a slice, then each is a slice ahead in turn: 20, 40, 40, 10.
    CHECK(forecast.finishIf(job(2, 0, 50us), 0us) == 110us);
    const auto second = forecast.add(job(2, 0, 50us), 0us);
    CHECK(forecast.finishOf(second, 0us) == 110us);
    CHECK(forecast.finishOf(second, 70us) == 110us);
    // Within a UID the higher priority goes first; the turn of UID 2 lasts 30 more.
    CHECK(forecast.finishIf(job(2, 2, 30us), 30us) == 60us);
    CHECK(forecast.finishIf(job(1, 0, 30us), 30us) == 180us);
}

TEST_CASE("a UID that had no job goes next [Q-1]") {
    DeviceForecast forecast = evenShares(fw::Mechanism::kCheckpoint);
    Job background = job(1, 2, 1000us);
    background.yield = 5us;
    forecast.add(background, 0us);
    CHECK(forecast.finishIf(job(2, 0, 30us), 500us) == 535us);
    // One slice that it saved up, one that UID 1 is ahead; then UID 1 has its turn.
    CHECK(forecast.finishIf(job(2, 0, 50us), 500us) == 595us);
}

TEST_CASE("without preemption the UID with the lowest account goes after each job [Q-1]") {
    DeviceForecast forecast = evenShares(fw::Mechanism::kNone);
    forecast.add(job(1, 2, 100us), 0us);
    forecast.add(job(1, 2, 100us), 0us);
    forecast.add(job(2, 0, 30us), 0us);
    CHECK(forecast.finishIf(job(2, 0, 30us), 0us) == 160us);
    CHECK(forecast.finishIf(job(2, 0, 80us), 0us) == 210us);
    CHECK(forecast.finishIf(job(1, 2, 10us), 0us) == 240us);
}

TEST_CASE("a UID does not pay for the time in which it was alone [Q-1]") {
    DeviceForecast forecast = evenShares(fw::Mechanism::kCheckpoint);
    forecast.remove(forecast.add(job(1, 1, 900us), 0us), 900us);
    forecast.add(job(2, 1, 500us), 1000us);
    CHECK(forecast.finishIf(job(1, 1, 10us), 1100us) == 1110us);
}

TEST_CASE("the forecast names the jobs that run before another") {
    DeviceForecast forecast(with(fw::Policy::kBands), kClockHz);
    const auto running = forecast.add(job(1, 0, 100us), 0us);
    forecast.add(job(2, 0, 40us), 0us);
    const auto middle = forecast.add(job(3, 1, 30us), 0us);
    CHECK(forecast.aheadOf(job(4, 1, 10us), 0us) == std::vector<std::uint64_t>{running, middle});
}

TEST_SUITE_END();

}  // namespace vnpu::driver
