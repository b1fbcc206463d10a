// SPDX-License-Identifier: Apache-2.0
#include "driver/control/scheduling.h"

#include <doctest/doctest.h>

#include "tests/driver/support/service.h"

namespace vnpu::driver::test {

TEST_SUITE_BEGIN("driver/control/scheduling");

TEST_CASE("the scheduling options reach the firmware after its boot [Q-3]") {
    DriverOptions options;
    options.scheduling.policy = fw::Policy::kTokens;
    options.scheduling.mechanism = fw::Mechanism::kDynamic;
    options.scheduling.granularity = fw::Granularity::kOperation;
    options.scheduling.starvationPermille = 50;
    options.scheduling.quantumCycles = {1, 2, 3, 4};
    options.scheduling.graceCycles = {5, 6, 7, 8};
    options.scheduling.periodCycles = 9;
    options.scheduling.preemptTimeoutCycles = 10;
    options.scheduling.appSliceCycles = 11;
    options.scheduling.experiments.isForced = true;
    const Service service(options);
    const auto set = service.port.scheduling();
    REQUIRE(set);
    CHECK_EQ(set->sizeBytes, 128);
    CHECK(set->policy == fw::Policy::kTokens);
    CHECK(set->mechanism == fw::Mechanism::kDynamic);
    CHECK(set->granularity == fw::Granularity::kOperation);
    CHECK_EQ(set->flags, fw::kScheduleForced | fw::kScheduleFairContexts);
    CHECK_EQ(set->starvationPermille, 50);
    CHECK_EQ(set->quantumCycles[3], 4);
    CHECK_EQ(set->graceCycles[0], 5);
    CHECK_EQ(set->periodCycles, 9);
    CHECK_EQ(set->preemptTimeoutCycles, 10);
    CHECK_EQ(set->contextSliceCycles, 11);
    CHECK_EQ(set->reserved[0] | set->reserved[1], 0);
}

TEST_CASE("the scheduling of a running device can be changed [Q-3]") {
    const Service service;
    SchedulingOptions options;
    options.policy = fw::Policy::kLeastLaxity;
    options.mechanism = fw::Mechanism::kRestart;
    options.experiments.isForced = true;
    REQUIRE(reschedule(service.device, options));
    const auto set = service.port.scheduling();
    REQUIRE(set);
    CHECK(set->policy == fw::Policy::kLeastLaxity);
    CHECK(set->mechanism == fw::Mechanism::kRestart);
    CHECK_EQ(set->flags, fw::kScheduleForced | fw::kScheduleFairContexts);
    CHECK_EQ(service.counters().dmaBytes, service.atStart.dmaBytes);
    CHECK_FALSE(reschedule(nullptr, options));
}

TEST_CASE("a queue in the driver stays when the device's scheduling changes [Q-3]") {
    DriverOptions created;
    created.scheduling.strategy = Strategy::kQueue;
    const Service service(created);
    REQUIRE(reschedule(service.device, {}));
    REQUIRE(service.port.scheduling());
    CHECK(service.port.scheduling()->mechanism == fw::Mechanism::kNone);
}

TEST_CASE("the order of a running device's apps can be changed [Q-3]") {
    const Service service;
    SchedulingOptions options;
    options.strategy = Strategy::kDevice;
    REQUIRE(reschedule(service.device, options));
    CHECK_EQ(service.port.scheduling()->flags, 0);
    options.strategy = Strategy::kQueue;
    REQUIRE(reschedule(service.device, options));
    CHECK_EQ(service.port.scheduling()->flags, fw::kScheduleFairContexts);
}

TEST_CASE("with priorities of the device, contexts have no shares of their own [Q-3]") {
    DriverOptions options;
    options.scheduling.strategy = Strategy::kDevice;
    const Service service(options);
    REQUIRE(service.port.scheduling());
    CHECK_EQ(service.port.scheduling()->flags, 0);
}

TEST_CASE("a driver that queues by itself preempts nothing") {
    DriverOptions options;
    options.scheduling.strategy = Strategy::kQueue;
    const Service service(options);
    REQUIRE(service.port.scheduling());
    CHECK(service.port.scheduling()->mechanism == fw::Mechanism::kNone);
}

TEST_CASE("priorities are bands, or levels of one band [Q-1]") {
    SchedulingOptions options;
    CHECK(devicePriority(0, options).band == fw::PriorityBand::kNormal);
    CHECK(devicePriority(1, options).band == fw::PriorityBand::kFocus);
    CHECK(devicePriority(2, options).band == fw::PriorityBand::kRealtime);
    CHECK_EQ(devicePriority(2, options).level, 0);
    options.hasOneBand = true;
    CHECK(devicePriority(2, options).band == fw::PriorityBand::kNormal);
    CHECK_EQ(devicePriority(2, options).level, 2);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
