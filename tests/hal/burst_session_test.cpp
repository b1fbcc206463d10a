// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <vnpu/hal/burst_session.h>

#include "tests/hal/burst_support.h"

namespace {

using namespace vnpu::hal;
using namespace vnpu::hal::test;
using nn::V1_0::ErrorStatus;
using nn::V1_2::MeasureTiming;

struct ReadySession {
    explicit ReadySession(size_t resultLength = 64) : client(resultLength) {
        auto created = BurstSession::create(client.offer(), executor);
        REQUIRE(created.has_value());
        session = std::move(*created);
    }
    BurstResult serve(const std::vector<int32_t>& slots) const {
        return session->serve(serialize(makeRequest(), MeasureTiming::YES, slots));
    }

    FakeClient client;
    std::shared_ptr<FakeExecutor> executor = std::make_shared<FakeExecutor>();
    std::unique_ptr<BurstSession> session;
};

void checkFailed(const BurstResult& result, ErrorStatus status) {
    CHECK(result.status == status);
    CHECK(result.outputShapes.empty());
    CHECK(result.timing.timeOnDevice == UINT64_MAX);
    CHECK(result.timing.timeInDriver == UINT64_MAX);
}

TEST_SUITE_BEGIN("hal/burst_session");

TEST_CASE("a request reaches the executor with its slots [B-5]") {
    const ReadySession ready;
    const BurstResult result = ready.serve({4, 5});
    CHECK(result.status == ErrorStatus::NONE);
    CHECK(result.outputShapes == makeResult().outputShapes);
    REQUIRE(ready.executor->executions.size() == 1);
    CHECK(ready.executor->executions[0].request.inputs.size() == 2);
    CHECK(ready.executor->executions[0].slots == std::vector<int32_t>{4, 5});
    CHECK(ready.executor->executions[0].measure == MeasureTiming::YES);
}

TEST_CASE("unknown slots are asked for once, all together, and stay [B-2]") {
    const ReadySession ready;
    CHECK(ready.serve({9, 2, 9}).status == ErrorStatus::NONE);
    CHECK(ready.serve({2, 3}).status == ErrorStatus::NONE);
    CHECK(ready.serve({3, 9}).status == ErrorStatus::NONE);
    CHECK(ready.client.fake->asked == std::vector<std::vector<int32_t>>{{2, 9}, {3}});
    CHECK(ready.executor->addedBytes == 3 * 64);

    ready.session->freeMemory(2);
    ready.session->freeMemory(1000);  // unknown
    ready.session->freeMemory(-1);
    CHECK(ready.serve({2, 3}).status == ErrorStatus::NONE);
    CHECK(ready.client.fake->asked.back() == std::vector<int32_t>{2});
}

TEST_CASE("without its memory a request is not executed") {
    const ReadySession ready;
    FakeCallback& callback = *ready.client.fake;
    callback.status = ErrorStatus::INVALID_ARGUMENT;
    checkFailed(ready.serve({1}), ErrorStatus::INVALID_ARGUMENT);
    callback.status = static_cast<ErrorStatus>(77);
    checkFailed(ready.serve({1}), ErrorStatus::GENERAL_FAILURE);
    callback.status = ErrorStatus::NONE;
    callback.surplus = 1;
    checkFailed(ready.serve({1}), ErrorStatus::GENERAL_FAILURE);
    callback.surplus = -1;
    checkFailed(ready.serve({1, 2}), ErrorStatus::GENERAL_FAILURE);
    callback.surplus = 0;
    callback.givesNothing = true;
    checkFailed(ready.serve({1}), ErrorStatus::INVALID_ARGUMENT);
    callback.givesNothing = false;
    callback.isSilent = true;
    checkFailed(ready.serve({1}), ErrorStatus::GENERAL_FAILURE);
    callback.isDead = true;
    checkFailed(ready.serve({1}), ErrorStatus::GENERAL_FAILURE);
    CHECK(ready.executor->executions.empty());
}

TEST_CASE("an invalid packet fails, and the next is served") {
    const ReadySession ready;
    RequestPacket packet = serialize(makeRequest(), MeasureTiming::NO, {1, 2});
    packet.pop_back();
    checkFailed(ready.session->serve(packet), ErrorStatus::GENERAL_FAILURE);
    CHECK(ready.serve({1, 2}).status == ErrorStatus::NONE);
}

TEST_CASE("requests that wait together are served one by one [B-6]") {
    const ReadySession ready;
    const std::vector<std::vector<int32_t>> slots = {{1, 2}, {3, 4}};
    for (const auto& used : slots) {
        const auto packet = serialize(makeRequest(), MeasureTiming::NO, used);
        CHECK(ready.client.requests->send(packet).has_value());
    }
    while (const auto packet = ready.session->tryReceive()) {
        ready.session->answer(*packet);
    }
    REQUIRE(ready.executor->executions.size() == 2);
    for (size_t i = 0; i < slots.size(); ++i) {
        CHECK(ready.executor->executions[i].slots == slots[i]);
        const auto packet = ready.client.results->tryReceive();
        REQUIRE(packet.has_value());
        const auto result = deserialize(*packet);
        REQUIRE(result.has_value());
        CHECK(result->status == ErrorStatus::NONE);
    }
}

TEST_CASE("a result that does not fit the channel becomes a failure that does") {
    const ReadySession ready(5);
    ready.session->answer(serialize(makeRequest(), MeasureTiming::NO, {1, 2}));
    const auto packet = ready.client.results->tryReceive();
    REQUIRE(packet.has_value());
    checkFailed(*deserialize(*packet), ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("an execution is dropped if the client releases the burst while it is asked for memory") {
    const ReadySession ready;
    ready.client.fake->onAsked = [&] { ready.session->close(); };
    checkFailed(ready.serve({1}), ErrorStatus::GENERAL_FAILURE);
    CHECK(ready.executor->executions.empty());
}

TEST_CASE("a burst without a callback, an executor or channels is refused") {
    const FakeClient client;
    const android::sp<nn::V1_2::IBurstCallback> none;
    const android::hardware::MQDescriptorSync<nn::V1_2::FmqResultDatum> noQueue;
    const auto executor = std::make_shared<FakeExecutor>();
    const BurstSession::Offer good = client.offer();
    CHECK_FALSE(BurstSession::create({none, good.requestChannel, good.resultChannel}, executor)
                        .has_value());
    CHECK_FALSE(BurstSession::create({good.callback, good.requestChannel, noQueue}, executor)
                        .has_value());
    CHECK_FALSE(BurstSession::create(good, nullptr).has_value());
}

TEST_SUITE_END();

}  // namespace
