// SPDX-License-Identifier: Apache-2.0
// Peers that misbehave: they never read, never send, or never answer.
#include <capnp/message.h>
#include <capnp/rpc.capnp.h>
#include <capnp/serialize.h>
#include <doctest/doctest.h>
#include <sys/socket.h>

#include <future>
#include <memory>
#include <vector>

#include "tests/hal/rpc/raw_socket.h"
#include "tests/hal/rpc/service_fixture.h"
#include "tests/hal/rpc/test_objects.h"

namespace {

using namespace vnpu::hal::rpc::test;
using android::sp;
using android::base::unique_fd;
using capnp::rpc::Message;
using vnpu::hal::RpcLimits;
namespace v13 = android::hardware::neuralnetworks::V1_3;

/// A call that is always answered; the peer discards the answer at once.
Bytes questionAndFinish() {
    Bytes bytes;
    const auto append = [&](capnp::MallocMessageBuilder& message) {
        const auto words = capnp::messageToFlatArray(message);
        bytes.insert(bytes.end(), words.asBytes().begin(), words.asBytes().end());
    };
    capnp::MallocMessageBuilder question;
    question.initRoot<Message>().initBootstrap().setQuestionId(0);
    append(question);
    capnp::MallocMessageBuilder finish;
    finish.initRoot<Message>().initFinish().setQuestionId(0);
    append(finish);
    return bytes;
}

/// Whether the service closes the connection without this side doing so.
bool isClosed(const unique_fd& connection) {
    char ignored[4096];
    ssize_t count = 0;
    do {
        count = read(connection.get(), ignored, sizeof(ignored));
    } while (count > 0);
    return count == 0 || errno == ECONNRESET;
}

/// Waits before it answers.
class SlowCallback : public Notified {
  public:
    SlowCallback() : Notified([](auto, const auto&) {}) {}

    android::hardware::Return<void> ping() override {
        isAsked.happen();
        mayAnswer.wait();
        return android::hardware::Void();
    }

    Happening isAsked;
    Happening mayAnswer;
};

v13::ErrorStatus prepare(v13::IDevice& device, const sp<v13::IPreparedModelCallback>& callback) {
    return device.prepareModel_1_3({}, {}, {}, {}, {}, {}, {}, callback)
            .withDefault(v13::ErrorStatus::DEVICE_UNAVAILABLE);
}

}  // namespace

TEST_SUITE_BEGIN("hal/rpc/peer");

TEST_CASE("a peer that never reads loses its connection, others are not affected [E-5]") {
    RpcLimits limits;
    limits.unreadBytes = 64 << 10;
    const Service service(limits);
    const auto device = service.find();
    const unique_fd peer = connectRaw(service.folder.socket());
    const Bytes said = questionAndFinish();
    // The service always reads, so sending ends when the connection does.
    constexpr size_t kMost = size_t{64} << 20;
    size_t sent = 0;
    ssize_t count = 0;
    while (sent < kMost && (count = send(peer.get(), said.data(), said.size(), MSG_NOSIGNAL)) > 0) {
        sent += static_cast<size_t>(count);
    }
    CHECK(count < 0);
    CHECK(device->getStatus().isOk());
    CHECK(service.find(*service.connect())->getStatus().isOk());
}

TEST_CASE("peers that send nothing, or half a message, cost only connections [E-5]") {
    RpcLimits limits;
    limits.connections = 3;
    const Service service(limits);
    const auto device = service.find();
    const unique_fd silent = connectRaw(service.folder.socket());
    const unique_fd halting = connectRaw(service.folder.socket());
    const Bytes said = questionAndFinish();
    REQUIRE(send(halting.get(), said.data(), said.size() / 4, MSG_NOSIGNAL) > 0);
    CHECK(isClosed(connectRaw(service.folder.socket())));  // one connection too many
    CHECK(device->getStatus().isOk());
    REQUIRE(service.server->usage().size() == 1);
    CHECK(service.server->usage()[0].connections == 3);
}

TEST_CASE("a peer that does not answer delays no other peer and can be removed at any time [E-5]") {
    const Service service;
    std::promise<bool> answered;
    service.device->onPrepare = [&](const auto&, const auto&, const auto&,
                                    const sp<v13::IPreparedModelCallback>& callback) {
        answered.set_value(callback->ping().isOk());
        return v13::ErrorStatus::NONE;
    };
    const sp<SlowCallback> callback(new SlowCallback);
    auto other = service.connect();
    const auto device = service.find(*other);
    auto prepared = std::async(std::launch::async, [&] { return prepare(*device, callback); });
    REQUIRE(callback->isAsked.wait());
    CHECK(service.find()->getStatus().isOk());
    SUBCASE("it answers late") {
        callback->mayAnswer.happen();
        CHECK(awaitResult(answered.get_future()));
        CHECK(awaitResult(std::move(prepared)) == v13::ErrorStatus::NONE);
    }
    SUBCASE("it goes") {
        auto gone = std::async(std::launch::async, [&] { other = nullptr; });
        CHECK_FALSE(awaitResult(answered.get_future()));
        CHECK(awaitResult(std::move(prepared)) == v13::ErrorStatus::DEVICE_UNAVAILABLE);
        callback->mayAnswer.happen();  // the destructor waits for its own callbacks
        gone.get();
    }
    CHECK(service.find()->getStatus().isOk());
}

TEST_SUITE_END();
