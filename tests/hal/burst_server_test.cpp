// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <vnpu/hal/burst_server.h>

#include <atomic>
#include <thread>

#include "tests/hal/burst_support.h"
#include "tests/hal/test_support.h"
#include "tests/support/no_more_threads.h"

namespace {

using namespace vnpu::hal;
using namespace vnpu::hal::test;
using android::sp;
using nn::V1_0::ErrorStatus;
using nn::V1_2::MeasureTiming;

RequestPacket requestPacket() {
    return serialize(makeRequest(), MeasureTiming::NO, {1, 2});
}

sp<ExecutionBurstServer> serve(const FakeClient& client,
                               const std::shared_ptr<FakeExecutor>& executor,
                               std::chrono::microseconds window = {}) {
    const auto offer = client.offer();
    auto server = ExecutionBurstServer::create(offer.callback, offer.requestChannel,
                                               offer.resultChannel, executor, window);
    REQUIRE(server.has_value());
    return *server;
}

TEST_SUITE_BEGIN("hal/burst_server");

TEST_CASE("a thread of its own serves an executor with a cache [B-8]") {
    for (const int window : {0, 50}) {
        const FakeClient client;
        const auto executor = std::make_shared<FakeExecutor>();
        const sp<ExecutionBurstServer> server =
                serve(client, executor, std::chrono::microseconds(window));
        for (int i = 0; i < 100; ++i) {
            CHECK(client.exchange(requestPacket()).status == ErrorStatus::NONE);
        }
        CHECK(executor->executions.size() == 100);
        CHECK(client.fake->asked.size() == 1);
        CHECK(server->freeMemory(2).isOk());
        CHECK(executor->slots == std::set<int32_t>{1});
    }
}

TEST_CASE("a burst without a thread for it is refused, and its client may try again [B-8]") {
    const FakeClient client;
    const auto executor = std::make_shared<FakeExecutor>();
    {
        const vnpu::test::NoMoreThreads noMore;
        const auto offer = client.offer();
        const auto server = ExecutionBurstServer::create(offer.callback, offer.requestChannel,
                                                         offer.resultChannel, executor);
        REQUIRE_FALSE(server.has_value());
        CHECK(server.error().starts_with("no thread for the burst: "));
        CHECK(executor.use_count() == 1);
    }
    const sp<ExecutionBurstServer> server = serve(client, executor);
    CHECK(client.exchange(requestPacket()).status == ErrorStatus::NONE);
}

TEST_CASE("any prepared model can be served, with its pools by slot [B-8]") {
    const FakeClient client;
    const sp<FakePreparedModel> model = new FakePreparedModel;
    std::vector<nn::V1_0::Request> requests;
    model->onExecute = [&](const nn::V1_0::Request& request, MeasureTiming) {
        CHECK(request.pools.size() == 2);
        CHECK(request.pools[0].handle() != request.pools[1].handle());
        CHECK(MappedPool::create(request.pools[1]).has_value());
        requests.push_back(request);
        return makeResult();
    };
    const auto offer = client.offer();
    auto server = ExecutionBurstServer::create(offer.callback, offer.requestChannel,
                                               offer.resultChannel, model);
    REQUIRE(server.has_value());
    CHECK(client.exchange(requestPacket()).outputShapes == makeResult().outputShapes);
    CHECK(client.exchange(requestPacket()).status == ErrorStatus::NONE);
    CHECK(client.fake->asked.size() == 1);
    CHECK((*server)->freeMemory(1).isOk());
    CHECK(client.exchange(requestPacket()).status == ErrorStatus::NONE);
    CHECK(client.fake->asked.back() == std::vector<int32_t>{1});
    CHECK(requests.size() == 3);

    const sp<nn::V1_2::IPreparedModel> none;
    CHECK_FALSE(ExecutionBurstServer::create(offer.callback, offer.requestChannel,
                                             offer.resultChannel, none)
                        .has_value());
}

TEST_CASE("invalid packets are answered with a failure, and the burst continues") {
    const FakeClient client;
    const sp<ExecutionBurstServer> server = serve(client, std::make_shared<FakeExecutor>());
    RequestPacket packet = requestPacket();
    packet.pop_back();
    const BurstResult result = client.exchange(packet);
    CHECK(result.status == ErrorStatus::GENERAL_FAILURE);
    CHECK(result.outputShapes.empty());
    CHECK(client.exchange(requestPacket()).status == ErrorStatus::NONE);
}

TEST_CASE("everything is released when the client releases the burst [B-8]") {
    const size_t before = openFdCount();
    const auto executor = std::make_shared<FakeExecutor>();
    {
        const FakeClient client;
        sp<ExecutionBurstServer> server = serve(client, executor);
        CHECK(client.exchange(requestPacket()).status == ErrorStatus::NONE);
        const android::wp<ExecutionBurstServer> watched = server;
        server = nullptr;
        CHECK(watched.promote() == nullptr);
        CHECK(executor.use_count() == 1);
        CHECK(client.fake->getStrongCount() == 2);  // held by the test
    }
    CHECK(openFdCount() == before);
}

TEST_CASE("releasing the burst waits for the running execution") {
    const FakeClient client;
    const auto executor = std::make_shared<FakeExecutor>();
    std::atomic<bool> hasBegun{false};
    std::atomic<bool> mayEnd{false};
    std::atomic<bool> hasEnded{false};
    executor->onExecute = [&] {
        hasBegun = true;
        while (!mayEnd) {
            std::this_thread::yield();
        }
        hasEnded = true;
        return makeResult();
    };
    sp<ExecutionBurstServer> server = serve(client, executor);
    REQUIRE(client.requests->send(requestPacket()).has_value());
    while (!hasBegun) {
        std::this_thread::yield();
    }
    std::thread releaser([&] { mayEnd = true; });
    server = nullptr;
    CHECK(hasEnded);
    releaser.join();
}

TEST_CASE("a client may let go while it is asked for memory, on the listener's own thread") {
    FakeClient client;
    const auto executor = std::make_shared<FakeExecutor>();
    sp<ExecutionBurstServer> server = serve(client, executor);
    std::atomic<bool> hasLetGo{false}, isOver{false};
    client.fake->onAsked = [&] {
        server = nullptr;
        hasLetGo = true;
    };
    client.fake->onEnd = [&] { isOver = true; };
    REQUIRE(client.requests->send(requestPacket()).has_value());
    client.fake = nullptr;
    client.callback = nullptr;
    // The listener releases the callback last, unless it is quicker than this thread.
    while (!hasLetGo || !isOver) {
        std::this_thread::yield();
    }
    CHECK(executor.use_count() == 1);
    CHECK(executor->executions.empty());
}

TEST_CASE("a peer that consumes the sleeper's wake-up bits does not keep it forever") {
    const FakeClient client;
    sp<ExecutionBurstServer> server = serve(client, std::make_shared<FakeExecutor>());
    using Queue = android::hardware::MessageQueue<nn::V1_2::FmqRequestDatum,
                                                  android::hardware::kSynchronizedReadWrite>;
    const Queue queue(client.requests->descriptor(), false);
    std::atomic<bool> isOver{false};
    std::thread thief([&] {
        while (!isOver) {
            queue.getEventFlagWord()->fetch_xor(0x2);
        }
    });
    const android::wp<ExecutionBurstServer> watched = server;
    server = nullptr;
    CHECK(watched.promote() == nullptr);
    isOver = true;
    thief.join();
}

TEST_SUITE_END();

}  // namespace
