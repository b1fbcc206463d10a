// SPDX-License-Identifier: Apache-2.0
#include "driver/api/scheduling.h"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "driver/qos/strategies/queue_strategy.h"
#include "tests/driver/runtime/service.h"

namespace vnpu::driver::test {

TEST_SUITE_BEGIN("driver/runtime/scheduling");

TEST_CASE("what is chosen reaches the firmware when it has booted [Q-3]") {
    DriverOptions options;
    options.scheduling.policy = fw::Policy::kTokens;
    options.scheduling.mechanism = fw::Mechanism::kDynamic;
    options.scheduling.granularity = fw::Granularity::kOperation;
    options.scheduling.starvationPermille = 50;
    options.scheduling.quantumCycles = {1, 2, 3, 4};
    options.scheduling.graceCycles = {5, 6, 7, 8};
    options.scheduling.periodCycles = 9;
    options.scheduling.preemptTimeoutCycles = 10;
    options.scheduling.isForced = true;
    const Service service(options);
    const auto set = service.port.scheduling();
    REQUIRE(set);
    CHECK_EQ(set->sizeBytes, 128);
    CHECK(set->policy == fw::Policy::kTokens);
    CHECK(set->mechanism == fw::Mechanism::kDynamic);
    CHECK(set->granularity == fw::Granularity::kOperation);
    CHECK_EQ(set->flags, fw::kScheduleForced);
    CHECK_EQ(set->starvationPermille, 50);
    CHECK_EQ(set->quantumCycles[3], 4);
    CHECK_EQ(set->graceCycles[0], 5);
    CHECK_EQ(set->periodCycles, 9);
    CHECK_EQ(set->preemptTimeoutCycles, 10);
    CHECK_EQ(set->reserved[0] | set->reserved[1] | set->reserved[2], 0);
}

TEST_CASE("a device that is running can be told to share itself otherwise [Q-3]") {
    const Service service;
    SchedulingOptions options;
    options.policy = fw::Policy::kLeastLaxity;
    options.mechanism = fw::Mechanism::kRestart;
    options.isForced = true;
    REQUIRE(reschedule(service.device, options));
    const auto set = service.port.scheduling();
    REQUIRE(set);
    CHECK(set->policy == fw::Policy::kLeastLaxity);
    CHECK(set->mechanism == fw::Mechanism::kRestart);
    CHECK_EQ(set->flags, fw::kScheduleForced);
    CHECK_EQ(service.counters().dmaBytes, service.atStart.dmaBytes);
    CHECK_FALSE(reschedule(nullptr, options));
}

TEST_CASE("the strategy stays what it was when the device is told otherwise [Q-3]") {
    DriverOptions created;
    created.scheduling.strategy = Strategy::kQueue;
    const Service service(created);
    REQUIRE(reschedule(service.device, {}));
    REQUIRE(service.port.scheduling());
    CHECK(service.port.scheduling()->mechanism == fw::Mechanism::kNone);
}

TEST_CASE("a driver that queues itself has nothing preempted") {
    DriverOptions options;
    options.scheduling.strategy = Strategy::kQueue;
    const Service service(options);
    REQUIRE(service.port.scheduling());
    CHECK(service.port.scheduling()->mechanism == fw::Mechanism::kNone);
}

TEST_CASE("priorities are bands, or levels of one [Q-1]") {
    SchedulingOptions options;
    CHECK(devicePriority(0, options).band == fw::PriorityBand::kNormal);
    CHECK(devicePriority(1, options).band == fw::PriorityBand::kFocus);
    CHECK(devicePriority(2, options).band == fw::PriorityBand::kRealtime);
    CHECK_EQ(devicePriority(2, options).level, 0);
    options.hasOneBand = true;
    CHECK(devicePriority(2, options).band == fw::PriorityBand::kNormal);
    CHECK_EQ(devicePriority(2, options).level, 2);
}

TEST_CASE("queues: one job at a time, UIDs in turn, of one the highest priority first [Q-3]") {
    FakeDevicePort port;
    QueueStrategy strategy(port);
    REQUIRE(strategy.enter(5, 0, {}));
    std::mutex mutex;
    std::vector<std::string> order;
    std::vector<std::thread> waiting;
    const auto add = [&](std::uint32_t uid, std::uint32_t priority, const char* name) {
        waiting.emplace_back([&, uid, priority, name] {
            CHECK(strategy.enter(uid, priority, {}));
            {
                const std::lock_guard guard(mutex);
                order.emplace_back(name);
            }
            strategy.leave();
        });
        port.awaitWaiters(static_cast<int>(waiting.size()));
    };
    add(5, 0, "5 low");
    add(5, 2, "5 high");
    add(9, 0, "9 low");
    add(2, 1, "2 medium");
    add(9, 1, "9 medium");
    strategy.leave();
    for (std::thread& thread : waiting) {
        thread.join();
    }
    CHECK(order == std::vector<std::string>{"9 medium", "2 medium", "5 high", "9 low", "5 low"});
}

TEST_CASE("queues: who loses patience loses the place") {
    FakeDevicePort port;
    QueueStrategy strategy(port);
    REQUIRE(strategy.enter(1, 0, {}));
    int asked = 0;
    const Patience patience = [&]() -> std::optional<std::chrono::nanoseconds> {
        return ++asked < 3 ? std::optional(std::chrono::nanoseconds(1000)) : std::nullopt;
    };
    CHECK_FALSE(strategy.enter(2, 2, patience));
    CHECK_EQ(asked, 3);
    CHECK(port.now() == std::chrono::nanoseconds(2000));
    strategy.leave();
    CHECK(strategy.enter(3, 0, {}));
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
