// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <hidl/ServiceManagement.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vnpu/hal/service_registry.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "tests/hal/rpc/raw_socket.h"
#include "tests/hal/rpc/service_fixture.h"
#include "tests/hal/rpc/test_objects.h"
#include "tests/support/no_more_threads.h"

namespace {

using namespace vnpu::hal::rpc::test;
namespace v10 = android::hardware::neuralnetworks::V1_0;
namespace v13 = android::hardware::neuralnetworks::V1_3;
using android::sp;
using vnpu::hal::RpcServer;

/// Asks for the service again at its end, as soon as `mayAsk` has happened.
class Reconnecting : public android::hardware::hidl_death_recipient {
  public:
    void serviceDied(uint64_t, const android::wp<android::hidl::base::V1_0::IBase>&) override {
        isTold.happen();
        mayAsk.wait();
        found.set_value(v13::IDevice::getService("vnpu-test") != nullptr);
    }

    Happening isTold;
    Happening mayAsk;
    std::promise<bool> found;
};

void awaitConnection(const RpcServer& server) {
    const auto isConnected = [](const RpcServer::Usage& user) { return user.connections != 0; };
    for (auto users = server.usage(); std::none_of(users.begin(), users.end(), isConnected);
         users = server.usage()) {
        std::this_thread::yield();
    }
}

}  // namespace

TEST_SUITE_BEGIN("hal/rpc/death");

TEST_CASE("clients of a service that ends get DEAD_OBJECT and one notification [B-4]") {
    Service service;
    const auto device = service.find();
    const sp<Mourner> mourner(new Mourner);
    const sp<Mourner> indifferent(new Mourner);
    CHECK(device->linkToDeath(mourner, 42).withDefault(false));
    CHECK(device->linkToDeath(indifferent, 1).withDefault(false));
    CHECK(device->unlinkToDeath(indifferent).withDefault(false));
    CHECK_FALSE(device->unlinkToDeath(indifferent).withDefault(true));
    service.server = nullptr;
    CHECK(awaitResult(mourner->cookie.get_future()) == 42);
    CHECK(device->getStatus().isDeadObject());
    CHECK(device->ping().isDeadObject());
    CHECK_FALSE(device->linkToDeath(mourner, 43).withDefault(true));
    CHECK_FALSE(service.client->isConnected());
    service.client = nullptr;  // waits for running notifications
    CHECK(mourner->told == 1);
    CHECK(indifferent->told == 0);
}

TEST_CASE("a running call ends when the service does [B-4]") {
    Service service;
    const auto device = service.find();
    Happening isIn;
    Happening mayLeave;
    service.device->onGetStatus = [&] {
        isIn.happen();
        mayLeave.wait();
        return v10::DeviceStatus::AVAILABLE;
    };
    auto call = std::async(std::launch::async, [&] { return device->getStatus().isDeadObject(); });
    REQUIRE(isIn.wait());
    auto end = std::async(std::launch::async, [&] { service.server = nullptr; });
    CHECK(awaitResult(std::move(call)));
    mayLeave.happen();
    end.get();
}

TEST_CASE("everything that a client held is released with it [B-4]") {
    Service service;
    Happening isEnded;
    service.device->onAllocate = [&](const auto&, const auto& callback) {
        callback(v13::ErrorStatus::NONE, new WatchedBuffer([&] { isEnded.happen(); }), 1);
    };
    sp<v13::IPreparedModelCallback> known;
    service.device->onPrepare = [&](const auto&, const auto&, const auto&,
                                    const sp<v13::IPreparedModelCallback>& callback) {
        known = callback;
        return v13::ErrorStatus::NONE;
    };
    const auto device = service.find();
    sp<v13::IBuffer> buffer;
    REQUIRE(device->allocate({}, {}, {}, {}, [&](auto, const auto& given, auto) {
                      buffer = given;
                  }).isOk());
    REQUIRE(device->prepareModel_1_3({}, {}, {}, {}, {}, {}, {},
                                     new Notified([](auto, const auto&) {}))
                    .isOk());
    const sp<Mourner> mourner(new Mourner);
    CHECK(known->linkToDeath(mourner, 7).withDefault(false));
    service.client = nullptr;
    CHECK(isEnded.wait());
    CHECK(awaitResult(mourner->cookie.get_future()) == 7);
    CHECK(known->ping().isDeadObject());
    CHECK(buffer->copyTo({}).isDeadObject());
}

TEST_CASE("a peer that violates the protocol loses its connection, others are not affected [E-5]") {
    const Service service;
    for (const char* nonsense : {"GET / HTTP/1.1\r\n\r\n", "\0\0\0\0\xff\xff\xff\x7f", ""}) {
        Bytes bytes(std::max<size_t>(std::strlen(nonsense), 8), 0xff);
        std::memcpy(bytes.data(), nonsense, std::strlen(nonsense));
        sayAndLeave(service.folder.socket(), bytes);
    }
    CHECK(service.find()->getStatus().isOk());
}

TEST_CASE("a socket has the wanted permissions, and leaves with its server [E-5]") {
    const SocketFolder folder;
    const sp<RecordingDevice> device(new RecordingDevice);
    RpcServer::Options options{
            .socketPath = folder.socket(), .mode = 0640, .services = {{"vnpu-test", device}}};
    {
        const auto server = RpcServer::create(options);
        REQUIRE(server.has_value());
        struct stat status {};
        REQUIRE(stat(folder.socket().c_str(), &status) == 0);
        CHECK((status.st_mode & 0777) == 0640);
        const auto second = RpcServer::create(options);
        REQUIRE_FALSE(second.has_value());
        CHECK(second.error().reason == folder.socket() + ": another service listens there");
    }
    CHECK(access(folder.socket().c_str(), F_OK) != 0);
}

TEST_CASE("a stale socket is replaced, a file is not [E-5]") {
    const SocketFolder folder;
    const sp<RecordingDevice> device(new RecordingDevice);
    RpcServer::Options options{.socketPath = folder.socket(), .services = {{"vnpu-test", device}}};
    {
        const RawSocket stale(folder.socket());
        REQUIRE(bind(stale.fd.get(), stale.generic(), sizeof(stale.address)) == 0);
    }
    CHECK(RpcServer::create(options).has_value());
    std::ofstream(folder.socket()) << "precious";
    const auto refused = RpcServer::create(options);
    REQUIRE_FALSE(refused.has_value());
    CHECK_FALSE(refused.error().isOfSystem);
    CHECK(refused.error().reason.find("is no socket") != std::string::npos);
    CHECK(std::filesystem::file_size(folder.socket()) == 8);
}

TEST_CASE("a server and a client that get no thread say so, and later ones work [E-5]") {
    const SocketFolder folder;
    const sp<RecordingDevice> device(new RecordingDevice);
    const RpcServer::Options options{.socketPath = folder.socket(),
                                     .services = {{"vnpu-test", device}}};
    {
        const vnpu::test::NoMoreThreads noMore;
        const auto server = RpcServer::create(options);
        REQUIRE_FALSE(server.has_value());
        CHECK(server.error().isOfSystem);
        CHECK(server.error().reason.find("no thread for ") == 0);
    }
    CHECK(access(folder.socket().c_str(), F_OK) != 0);
    const auto server = RpcServer::create(options);
    REQUIRE(server.has_value());
    {
        const vnpu::test::NoMoreThreads noMore;
        const auto client = RpcClient::connect(folder.socket());
        REQUIRE_FALSE(client.has_value());
        CHECK(client.error().find("no thread for ") == 0);
    }
    const auto client = RpcClient::connect(folder.socket());
    REQUIRE(client.has_value());
    CHECK(Service::find(**client)->getStatus().isOk());
}

TEST_CASE("a server and its client that get no more threads go on with their first ones [E-5]") {
    Service service;
    const vnpu::test::NoMoreThreads noMore;
    for (int call = 0; call < 3; ++call) {
        CHECK(service.find()->getStatus().isOk());
    }
    service.client = nullptr;
    service.server = nullptr;
}

TEST_CASE("getService reaches the service at the socket, and a new one after it died [E-5]") {
    const SocketFolder folder;
    setenv("VNPU_SOCKET", folder.socket().c_str(), 1);
    vnpu::hal::useServiceSocket();
    CHECK(v13::IDevice::getService("vnpu-test") == nullptr);
    const sp<RecordingDevice> device(new RecordingDevice);
    const RpcServer::Options options{.socketPath = folder.socket(),
                                     .services = {{"vnpu-test", device}}};
    for (int life = 0; life < 3; ++life) {
        auto server = RpcServer::create(options);
        REQUIRE(server.has_value());
        const sp<v13::IDevice> proxy = v13::IDevice::getService("vnpu-test");
        REQUIRE(proxy != nullptr);
        CHECK(proxy->isRemote());
        CHECK(proxy->getStatus().isOk());
        CHECK(android::hardware::getAllHalInstanceNames(v13::IDevice::descriptor) ==
              std::vector<std::string>{"vnpu-test"});
        server->reset();
        CHECK(proxy->getStatus().isDeadObject());
        CHECK(v13::IDevice::getService("vnpu-test") == nullptr);
    }
    vnpu::hal::setServiceSource(nullptr);
    unsetenv("VNPU_SOCKET");
}

TEST_CASE("a notification may ask for the service while another thread does [B-4]") {
    const SocketFolder folder;
    setenv("VNPU_SOCKET", folder.socket().c_str(), 1);
    vnpu::hal::useServiceSocket();
    const sp<RecordingDevice> device(new RecordingDevice);
    const RpcServer::Options options{.socketPath = folder.socket(),
                                     .services = {{"vnpu-test", device}}};
    const sp<Reconnecting> recipient(new Reconnecting);
    auto server = RpcServer::create(options);
    REQUIRE(server.has_value());
    const sp<v13::IDevice> proxy = v13::IDevice::getService("vnpu-test");
    REQUIRE(proxy != nullptr);
    REQUIRE(proxy->linkToDeath(recipient, 0).withDefault(false));
    server->reset();
    REQUIRE(recipient->isTold.wait());
    server = RpcServer::create(options);
    REQUIRE(server.has_value());
    // Detached and with state of its own, so that a deadlock fails the case and does not stop it.
    const auto found = std::make_shared<std::promise<bool>>();
    std::thread([found] {
        found->set_value(v13::IDevice::getService("vnpu-test") != nullptr);
    }).detach();
    awaitConnection(**server);
    recipient->mayAsk.happen();
    CHECK(awaitResult(recipient->found.get_future()));
    CHECK(awaitResult(found->get_future()));
    vnpu::hal::setServiceSource(nullptr);
    unsetenv("VNPU_SOCKET");
}

TEST_SUITE_END();
