// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <thread>

#include "driver/api/activity.h"
#include "tests/driver/support/burst_support.h"
#include "tests/support/no_more_threads.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
namespace hal = vnpu::hal;
using nn::V1_2::MeasureTiming;
using Listener = BurstService::Listener;

TEST_SUITE_BEGIN("driver/hal/burst");

namespace {

std::unique_ptr<hal::ExecutionBurstController> connect(const BurstService& target) {
    auto controller = hal::ExecutionBurstController::create(target.prepared.model, {});
    REQUIRE(controller.has_value());
    return std::move(*controller);
}

}  // namespace

TEST_CASE("a burst executes repeatedly, with either kind of listener [B-1] [B-8]") {
    for (const Listener listener : {Listener::kSystemThread, Listener::kHostThread}) {
        BurstService target(listener);
        auto controller = connect(target);
        for (int i = 0; i < 5; ++i) {
            target.clearOutput();
            const auto outcome =
                    controller->compute(target.request(), MeasureTiming::YES, {100, 101});
            CHECK_EQ(outcome.result.status, Hal10Status::NONE);
            CHECK(target.isOutputRight());
            REQUIRE_EQ(outcome.result.outputShapes.size(), 1);
            CHECK(outcome.result.outputShapes[0].isSufficient);
            CHECK_EQ(outcome.result.timing.timeOnDevice, 7);  // kJobCycles
            CHECK_GE(outcome.result.timing.timeInDriver, 7);
        }
        CHECK_EQ(target.service.counters().jobsCompleted, 5);
        const auto jobs = activityOf(target.service.device).ended;
        REQUIRE_EQ(jobs.size(), 5);
        for (std::size_t i = 1; i < jobs.size(); ++i) {
            CHECK_GE(jobs[i].arrival, *jobs[i - 1].ended);
        }
        controller = nullptr;
        target.service.port.joinPosted();
    }
}

TEST_CASE("pools stay mapped by slot until they are freed or the burst ends [B-2]") {
    for (const Listener listener : {Listener::kSystemThread, Listener::kHostThread}) {
        BurstService target(listener);
        const auto mappings = [&] { return target.service.counters().livePoolMappings; };
        auto controller = connect(target);
        for (int i = 0; i < 3; ++i) {
            const auto outcome =
                    controller->compute(target.request(), MeasureTiming::NO, {100, 101});
            CHECK_EQ(outcome.result.status, Hal10Status::NONE);
            CHECK_EQ(outcome.result.timing.timeOnDevice, UINT64_MAX);
            CHECK_EQ(mappings(), 2);
        }
        controller->freeMemory(101);
        CHECK_EQ(mappings(), 1);
        target.clearOutput();
        CHECK_EQ(controller->compute(target.request(), MeasureTiming::NO, {100, 102}).result.status,
                 Hal10Status::NONE);
        CHECK(target.isOutputRight());
        CHECK_EQ(mappings(), 2);
        controller = nullptr;
        CHECK_EQ(mappings(), 0);
        CHECK_EQ(target.service.counters().hostCopiedBytes, 0);
    }
}

TEST_CASE("a burst keeps its model alive, and nothing once it ends [B-8]") {
    BurstService target;
    {
        const auto controller = connect(target);
        target.prepared.model = nullptr;
        CHECK_EQ(controller->compute(target.request(), MeasureTiming::NO, {1, 2}).result.status,
                 Hal10Status::NONE);
    }
    CHECK_EQ(target.service.counters().livePreparedModels, 0);
    CHECK_EQ(target.service.counters().liveContexts, 0);
    CHECK_EQ(target.service.counters().dmaBytes, target.service.atStart.dmaBytes);
}

TEST_CASE("a burst for which there is no thread is refused, with either kind of listener [B-8]") {
    for (const Listener listener : {Listener::kSystemThread, Listener::kHostThread}) {
        BurstService target(listener);
        {
            target.service.port.denyThreads();
            const vnpu::test::NoMoreThreads noMore;
            CHECK_FALSE(
                    hal::ExecutionBurstController::create(target.prepared.model, {}).has_value());
            CHECK(target.service.observer.hasLogged("no thread for the"));
        }
        target.service.port.denyThreads(false);
        CHECK_EQ(
                connect(target)->compute(target.request(), MeasureTiming::NO, {1, 2}).result.status,
                Hal10Status::NONE);
        target.service.port.joinPosted();
    }
}

TEST_CASE("errors of an execution are those of the other paths [B-5]") {
    const BurstService target;
    const auto controller = connect(target);
    nn::V1_0::Request request = target.request();
    request.outputs[0].location.length = BurstService::kBytes - 1;
    auto outcome = controller->compute(request, MeasureTiming::YES, {100, 101});
    CHECK_EQ(outcome.result.status, Hal10Status::OUTPUT_INSUFFICIENT_SIZE);
    REQUIRE_EQ(outcome.result.outputShapes.size(), 1);
    CHECK_FALSE(outcome.result.outputShapes[0].isSufficient);
    CHECK_EQ(outcome.result.outputShapes[0].dimensions,
             android::hardware::hidl_vec<std::uint32_t>({1, BurstService::kBytes}));

    request = target.request();
    request.inputs = {};
    outcome = controller->compute(request, MeasureTiming::YES, {100, 101});
    CHECK_EQ(outcome.result.status, Hal10Status::INVALID_ARGUMENT);
    CHECK_FALSE(outcome.isFallbackUseful);
    CHECK(target.service.observer.hasLogged("executeBurst: INVALID_ARGUMENT"));
}

TEST_CASE("memory that cannot be mapped fails the execution that needs it [B-5]") {
    const BurstService target;
    const auto controller = connect(target);
    nn::V1_0::Request request = target.request();
    const auto shown = hal::createSharedMemory(BurstService::kBytes);
    request.pools[0] = android::hardware::hidl_memory("ashmem", shown->handle(), 1 << 20);
    const auto outcome = controller->compute(request, MeasureTiming::NO, {200, 101});
    CHECK_EQ(outcome.result.status, Hal10Status::GENERAL_FAILURE);
    CHECK(target.service.observer.hasLogged("do not fit into the 64 bytes"));
    CHECK_EQ(controller->compute(target.request(), MeasureTiming::NO, {100, 101}).result.status,
             Hal10Status::NONE);
}

TEST_CASE("calls of a burst count as its caller's, not as its listener's [B-8]") {
    const BurstService target;
    const auto controller = connect(target);
    CHECK_EQ(controller->compute(target.request(), MeasureTiming::NO, {1, 2}).result.status,
             Hal10Status::NONE);
    const auto calls = target.service.observer.calls();
    REQUIRE_EQ(calls.back().name, "executeBurst");
    CHECK_EQ(calls.back().end, vnpu::driver::ErrorStatus::NONE);
    CHECK_EQ(calls.back().uid, calls.front().uid);
    CHECK_EQ(target.service.observer.submitted().back().second, calls.back().id);
}

TEST_CASE("several bursts run side by side [B-8]") {
    const BurstService target;
    std::vector<std::thread> clients;
    for (int i = 0; i < 4; ++i) {
        clients.emplace_back([&] {
            const auto controller = connect(target);
            for (int run = 0; run < 10; ++run) {
                CHECK_EQ(controller->compute(target.request(), MeasureTiming::NO, {1, 2})
                                 .result.status,
                         Hal10Status::NONE);
            }
        });
    }
    for (std::thread& client : clients) {
        client.join();
    }
    CHECK_EQ(target.service.counters().jobsCompleted, 40);
    CHECK_EQ(target.service.counters().livePoolMappings, 0);
}

TEST_CASE(
        "a burst without callback or with invalid channels is refused, with a reason [B-7] "
        "[B-8a]") {
    using RequestChannel = android::hardware::MQDescriptorSync<nn::V1_2::FmqRequestDatum>;
    const BurstService target;
    const BurstClient good(target);
    const auto configure = [&](const android::sp<nn::V1_2::IBurstCallback>& callback,
                               const RequestChannel& requests) {
        Hal10Status status = Hal10Status::NONE;
        CHECK(target.prepared.model
                      ->configureExecutionBurst(
                              callback, requests, good.results->descriptor(),
                              [&](Hal10Status answer,
                                  const android::sp<nn::V1_2::IBurstContext>& context) {
                                  status = answer;
                                  CHECK(context == nullptr);
                              })
                      .isOk());
        return status;
    };
    CHECK_EQ(configure(nullptr, good.requests->descriptor()), Hal10Status::INVALID_ARGUMENT);
    CHECK_EQ(configure(good.callback, RequestChannel()), Hal10Status::GENERAL_FAILURE);
    RequestChannel foul(good.requests->descriptor());
    foul.grantors()[2].extent = std::uint64_t{24} << 30;
    CHECK_EQ(configure(good.callback, foul), Hal10Status::GENERAL_FAILURE);
    const android::hardware::MessageQueue<nn::V1_2::FmqRequestDatum,
                                          android::hardware::kSynchronizedReadWrite>
            mute(16);
    CHECK_EQ(configure(good.callback, *mute.getDesc()), Hal10Status::GENERAL_FAILURE);
    CHECK(target.service.observer.hasLogged(
            "configureExecutionBurst: GENERAL_FAILURE: request channel: the queue has no event "
            "flag"));
}

TEST_SUITE_END();
