// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <vnpu/hal/burst_controller.h>
#include <vnpu/hal/burst_server.h>

#include <set>
#include <thread>

#include "tests/hal/burst_support.h"

namespace {

using namespace vnpu::hal;
using namespace vnpu::hal::test;
using android::sp;
using android::hardware::hidl_memory;
using android::hardware::hidl_vec;
using nn::V1_0::ErrorStatus;
using nn::V1_2::IBurstContext;
using nn::V1_2::MeasureTiming;

/// A prepared model whose bursts run on `executor`.
struct BurstModel {
    BurstModel() {
        model->onBurst = [this](const BurstSession::Offer& offer) -> sp<IBurstContext> {
            return *ExecutionBurstServer::create(offer.callback, offer.requestChannel,
                                                 offer.resultChannel, executor);
        };
        request.pools = {makeMemory(), makeMemory()};
    }
    std::unique_ptr<ExecutionBurstController> connect(
            ExecutionBurstController::Options options = {}) const {
        auto controller = ExecutionBurstController::create(model, std::move(options));
        REQUIRE(controller.has_value());
        return std::move(*controller);
    }

    sp<FakePreparedModel> model = new FakePreparedModel;
    std::shared_ptr<FakeExecutor> executor = std::make_shared<FakeExecutor>();
    nn::V1_0::Request request = makeRequest();
};

TEST_SUITE_BEGIN("hal/burst_controller");

TEST_CASE("repeated executions send their memory once [B-1] [B-2]") {
    const BurstModel ready;
    for (const int window : {0, 50}) {
        const auto controller = ready.connect({std::chrono::microseconds(window), 1024, nullptr});
        for (int i = 0; i < 20; ++i) {
            const auto outcome = controller->compute(ready.request, MeasureTiming::YES, {10, 20});
            CHECK(outcome.result.status == ErrorStatus::NONE);
            CHECK(outcome.result.outputShapes == makeResult().outputShapes);
            CHECK(outcome.result.timing == makeResult().timing);
            CHECK_FALSE(outcome.isFallbackUseful);
        }
    }
    CHECK(ready.executor->addedBytes == 2 * 64);  // the fake executor outlives its burst
    CHECK(ready.executor->executions.back().slots == std::vector<int32_t>{0, 1});
}

TEST_CASE("freed memory is freed at the service, and its slot is used again") {
    const BurstModel ready;
    const auto controller = ready.connect();
    CHECK(controller->compute(ready.request, MeasureTiming::NO, {10, 20}).result.status ==
          ErrorStatus::NONE);
    controller->freeMemory(10);
    controller->freeMemory(10);
    controller->freeMemory(99);  // unknown
    CHECK(ready.executor->slots == std::set<int32_t>{1});
    CHECK(controller->compute(ready.request, MeasureTiming::NO, {30, 20}).result.status ==
          ErrorStatus::NONE);
    CHECK(ready.executor->executions.back().slots == std::vector<int32_t>{0, 1});
}

TEST_CASE("a failed execution is the result, with no other path to try") {
    const BurstModel ready;
    ready.executor->onExecute = [] {
        BurstResult result;
        result.status = ErrorStatus::INVALID_ARGUMENT;
        return result;
    };
    const auto outcome = ready.connect()->compute(ready.request, MeasureTiming::YES, {1, 2});
    CHECK(outcome.result.status == ErrorStatus::INVALID_ARGUMENT);
    CHECK(outcome.result.outputShapes.empty());
    CHECK_FALSE(outcome.isFallbackUseful);
}

TEST_CASE("a request that does not fit the channel must take another path") {
    const BurstModel ready;
    const auto controller = ready.connect({{}, 8, nullptr});
    const auto outcome = controller->compute(ready.request, MeasureTiming::NO, {1, 2});
    CHECK(outcome.result.status == ErrorStatus::GENERAL_FAILURE);
    CHECK(outcome.isFallbackUseful);
    CHECK(ready.executor->executions.empty());
    CHECK(controller->compute({}, MeasureTiming::NO, {}).result.status ==
          ErrorStatus::NONE);  // small enough
}

TEST_CASE("a request whose ids do not match the pools must take another path") {
    const BurstModel ready;
    const auto outcome = ready.connect()->compute(ready.request, MeasureTiming::NO, {1});
    CHECK(outcome.result.status == ErrorStatus::GENERAL_FAILURE);
    CHECK(outcome.isFallbackUseful);
}

TEST_CASE("one execution at a time") {
    const BurstModel ready;
    const auto controller = ready.connect();
    ready.executor->onExecute = [&] {
        const auto second = controller->compute(ready.request, MeasureTiming::NO, {1, 2});
        CHECK(second.result.status == ErrorStatus::GENERAL_FAILURE);
        CHECK(second.isFallbackUseful);
        return makeResult();
    };
    CHECK(controller->compute(ready.request, MeasureTiming::NO, {1, 2}).result.status ==
          ErrorStatus::NONE);
}

TEST_CASE("an invalid result ends the burst, not the client") {
    const BurstModel ready;
    struct Context : IBurstContext {
        android::hardware::Return<void> freeMemory(int32_t) override {
            return android::hardware::Void();
        }
    };
    std::unique_ptr<PacketChannel<nn::V1_2::FmqResultDatum>> results;
    ready.model->onBurst = [&](const BurstSession::Offer& offer) -> sp<IBurstContext> {
        results = *PacketChannel<nn::V1_2::FmqResultDatum>::attach(offer.resultChannel);
        REQUIRE(results->send(ResultPacket(3)).has_value());  // answers the next request
        return new Context;
    };
    const auto controller = ready.connect();
    const auto first = controller->compute(ready.request, MeasureTiming::NO, {1, 2});
    CHECK(first.result.status == ErrorStatus::GENERAL_FAILURE);
    CHECK_FALSE(first.isFallbackUseful);
    const auto second = controller->compute(ready.request, MeasureTiming::NO, {1, 2});
    CHECK(second.result.status == ErrorStatus::GENERAL_FAILURE);
    CHECK(second.isFallbackUseful);
}

TEST_CASE("a client that may not block waits in its own way") {
    const BurstModel ready;
    int looks = 0;
    const auto controller = ready.connect({{}, 1024, [&](const std::function<bool()>& isDone) {
                                               while (!isDone()) {
                                                   ++looks;
                                                   std::this_thread::yield();
                                               }
                                           }});
    CHECK(controller->compute(ready.request, MeasureTiming::NO, {1, 2}).result.status ==
          ErrorStatus::NONE);
    CHECK(looks >= 0);
}

TEST_CASE("the death of the service ends the waiting") {
    const BurstModel ready;
    struct Context : IBurstContext {
        android::hardware::Return<void> freeMemory(int32_t) override {
            return android::hardware::Void();
        }
        android::hardware::Return<bool> linkToDeath(
                const sp<android::hardware::hidl_death_recipient>& recipient, uint64_t) override {
            watcher = recipient;
            return true;
        }
        sp<android::hardware::hidl_death_recipient> watcher;
    };
    const sp<Context> context = new Context;
    ready.model->onBurst = [&](const BurstSession::Offer&) { return context; };
    const auto controller = ready.connect();
    REQUIRE(context->watcher != nullptr);
    std::thread reaper([&] { context->watcher->serviceDied(0, nullptr); });
    CHECK(controller->compute(ready.request, MeasureTiming::NO, {1, 2}).result.status ==
          ErrorStatus::GENERAL_FAILURE);
    reaper.join();
    CHECK(controller->compute(ready.request, MeasureTiming::NO, {1, 2}).isFallbackUseful);
}

TEST_CASE("a prepared model that refuses has no burst") {
    const BurstModel ready;
    ready.model->onBurst = nullptr;
    CHECK_FALSE(ExecutionBurstController::create(ready.model, {}).has_value());
    CHECK_FALSE(ExecutionBurstController::create(nullptr, {}).has_value());
    CHECK_FALSE(ExecutionBurstController::create(ready.model, {{}, 0, nullptr}).has_value());
}

TEST_SUITE_END();

// ---- memories

TEST_SUITE_BEGIN("hal/burst_callback");

TEST_CASE("memories have slots in the order of their coming, freed ones first [B-2]") {
    const sp<ExecutionBurstCallback> callback = new ExecutionBurstCallback;
    const hidl_vec<hidl_memory> three = {makeMemory(1), makeMemory(2), makeMemory(3)};
    CHECK(callback->getSlots(three, {30, 10, 30}) == std::vector<int32_t>{0, 1, 0});
    CHECK(callback->forget(30) == 0);
    CHECK(callback->forget(30) == std::nullopt);
    CHECK(callback->getSlots({makeMemory(4)}, {40}) == std::vector<int32_t>{2});
    callback->recycle(0);
    CHECK(callback->getSlots({makeMemory(5)}, {50}) == std::vector<int32_t>{0});
    CHECK_FALSE(callback->getSlots(three, {1, 2}).has_value());
    CHECK_FALSE(callback->getSlots({hidl_memory()}, {60}).has_value());
}

TEST_CASE("slots result in all their memories or in none") {
    const sp<ExecutionBurstCallback> callback = new ExecutionBurstCallback;
    REQUIRE(callback->getSlots({makeMemory(100), makeMemory(200)}, {1, 2}).has_value());
    const auto get = [&](const std::vector<int32_t>& slots) {
        std::pair<ErrorStatus, std::vector<uint64_t>> answer;
        CHECK(callback->getMemories(slots,
                                    [&](ErrorStatus status, const hidl_vec<hidl_memory>& memories) {
                                        answer.first = status;
                                        for (const hidl_memory& memory : memories) {
                                            answer.second.push_back(memory.size());
                                        }
                                    })
                      .isOk());
        return answer;
    };
    CHECK(get({1, 0}) == std::pair(ErrorStatus::NONE, std::vector<uint64_t>{200, 100}));
    const std::pair refused(ErrorStatus::INVALID_ARGUMENT, std::vector<uint64_t>{});
    CHECK(get({0, 2}) == refused);
    CHECK(get({-1}) == refused);
    CHECK(get({INT32_MAX}) == refused);
    CHECK(callback->forget(1) == 0);
    CHECK(get({0}) == refused);
}

TEST_SUITE_END();

}  // namespace
