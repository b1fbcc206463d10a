// SPDX-License-Identifier: Apache-2.0
#include "driver/api/activity.h"

#include <doctest/doctest.h>

#include <chrono>
#include <future>
#include <thread>

#include "driver/control/latest.h"
#include "tests/driver/support/service.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;

TEST_SUITE_BEGIN("driver/api/activity");

namespace {

struct WatchedDriver {
    explicit WatchedDriver(nn::V1_3::Priority priority = nn::V1_3::Priority::MEDIUM)
        : prepared(service.prepare(reluModel({1, 16}), priority)), input(16), output(16) {
        REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    }
    ErrorStatus execute() const {
        return executeSync(prepared.model, requestOf(input, output, 16)).status;
    }
    DriverActivity activity() const { return activityOf(service.device); }

    Service service;
    PrepareOutcome prepared;
    Pool input, output;
};

}  // namespace

TEST_CASE("a job on the device is shown with its user, priority and times [E-5]") {
    const CallerUid caller(10123);
    WatchedDriver running(nn::V1_3::Priority::HIGH);
    CHECK(running.activity().current.empty());
    running.service.port.pause();
    auto execution = std::async(std::launch::async, [&] { return running.execute(); });
    while (running.activity().current.empty() ||
           !running.activity().current.front().submitted.has_value()) {
        std::this_thread::yield();
    }
    const DriverActivity during = running.activity();
    REQUIRE_EQ(during.current.size(), 1);
    CHECK_EQ(during.current[0].id, 1);
    CHECK_EQ(during.current[0].uid, 10123);
    CHECK_EQ(during.current[0].halPriority, 2);
    REQUIRE(during.current[0].model != nullptr);
    CHECK_EQ(*during.current[0].model, "1x16 to 1x16, 1 operation");
    CHECK_GE(*during.current[0].submitted, during.current[0].arrival);
    CHECK_FALSE(during.current[0].deadline.has_value());
    CHECK_FALSE(during.current[0].ended.has_value());
    CHECK(during.ended.empty());
    running.service.port.resume();
    CHECK_EQ(execution.get(), ErrorStatus::NONE);
    const DriverActivity after = running.activity();
    CHECK(after.current.empty());
    REQUIRE_EQ(after.ended.size(), 1);
    CHECK_EQ(after.ended[0].id, 1);
    CHECK_EQ(after.ended[0].status, ErrorStatus::NONE);
    CHECK_GE(*after.ended[0].ended, *after.ended[0].submitted);
    CHECK(after.faults.empty());
}

TEST_CASE("the latest jobs are kept, from the oldest to the newest") {
    const WatchedDriver running;
    constexpr std::uint64_t kJobs = Latest<JobActivity>::kKept + 6;
    for (std::uint64_t i = 0; i < kJobs; ++i) {
        REQUIRE_EQ(running.execute(), ErrorStatus::NONE);
    }
    const DriverActivity activity = running.activity();
    REQUIRE_EQ(activity.ended.size(), Latest<JobActivity>::kKept);
    CHECK_EQ(activity.ended.front().id, 7);
    CHECK_EQ(activity.ended.back().id, kJobs);
}

TEST_CASE("a fault is shown with its time and remedy, and the job that failed by it [E-7]") {
    WatchedDriver running;
    const auto begin = running.service.port.now();
    running.service.port.hangInNextJob();
    CHECK_EQ(running.execute(), ErrorStatus::GENERAL_FAILURE);
    running.service.port.joinPosted();
    const DriverActivity activity = running.activity();
    REQUIRE_EQ(activity.faults.size(), 1);
    CHECK_EQ(activity.faultCount, 1);
    CHECK_EQ(activity.faults[0].report.cause, FaultCause::kNoHeartbeat);
    CHECK_EQ(activity.faults[0].report.remedy, FaultRemedy::kDeviceReset);
    CHECK_EQ(activity.faults[0].report.jobId, 1);
    CHECK(activity.faults[0].report.dump.empty());
    CHECK_GT(activity.faults[0].at, begin);
    CHECK_EQ(activity.resets, 1);
    CHECK_FALSE(activity.isGivenUp);
    REQUIRE_EQ(activity.ended.size(), 1);
    CHECK_EQ(activity.ended[0].status, ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a device of another driver has no activity") {
    const DriverActivity activity = activityOf(nullptr);
    CHECK(activity.current.empty());
    CHECK_EQ(activity.faultCount, 0);
}
