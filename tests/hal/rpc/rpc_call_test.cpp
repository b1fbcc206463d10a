// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <hwbinder/IPCThreadState.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vnpu/hal/caller_identity.h>

#include <future>
#include <thread>
#include <vector>

#include "tests/hal/rpc/service_fixture.h"
#include "tests/hal/rpc/test_objects.h"
#include "tests/hal/test_support.h"

namespace {

using namespace vnpu::hal::rpc::test;
namespace v10 = android::hardware::neuralnetworks::V1_0;
namespace v11 = android::hardware::neuralnetworks::V1_1;
namespace v12 = android::hardware::neuralnetworks::V1_2;
namespace v13 = android::hardware::neuralnetworks::V1_3;
using android::sp;
using android::hardware::hidl_handle;
using android::hardware::hidl_memory;
using android::hardware::hidl_string;
using android::hardware::hidl_vec;
using android::hardware::Status;
using android::hidl::base::V1_0::IBase;
using vnpu::hal::RpcLimits;

v13::ErrorStatus prepare(v13::IDevice& device, const v13::Model& model,
                         const sp<v13::IPreparedModelCallback>& callback) {
    return device
            .prepareModel_1_3(model, v11::ExecutionPreference::LOW_POWER, v13::Priority::LOW, {},
                              {}, {}, {}, callback)
            .withDefault(v13::ErrorStatus::DEVICE_UNAVAILABLE);
}

/// The results of the device's `allocate`.
sp<v13::IBuffer> allocate(v13::IDevice& device) {
    sp<v13::IBuffer> buffer;
    REQUIRE(device.allocate({}, {}, {}, {},
                            [&](v13::ErrorStatus, const sp<v13::IBuffer>& given, uint32_t) {
                                buffer = given;
                            })
                    .isOk());
    return buffer;
}

}  // namespace

TEST_SUITE_BEGIN("hal/rpc/call");

TEST_CASE("results come back by value and to callbacks [E-5]") {
    const Service service;
    const auto device = service.find();
    service.device->onGetStatus = [] { return v10::DeviceStatus::BUSY; };
    CHECK(device->getStatus().withDefault(v10::DeviceStatus::UNKNOWN) == v10::DeviceStatus::BUSY);
    uint32_t models = 0;
    uint32_t data = 0;
    CHECK(device->getNumberOfCacheFilesNeeded([&](v10::ErrorStatus, uint32_t m, uint32_t d) {
                    models = m;
                    data = d;
                }).isOk());
    CHECK(models == 3);
    CHECK(data == 4);
}

TEST_CASE("only the first results of a method count, and without results its call fails [E-5]") {
    const Service service;
    const auto device = service.find();
    std::string version;
    CHECK(device->getVersionString([&](v10::ErrorStatus, const hidl_string& told) {
                    version += std::string(told);
                }).isOk());
    CHECK(version == "recording");
    bool isCalled = false;
    const auto type = device->getType([&](v10::ErrorStatus, v12::DeviceType) { isCalled = true; });
    CHECK_FALSE(type.isOk());
    CHECK_FALSE(isCalled);
}

TEST_CASE("a transport error of the object is the caller's [E-5]") {
    const Service service;
    const auto device = service.find();
    const auto answer = device->getCapabilities([](auto, const auto&) {});
    CHECK_FALSE(answer.isOk());
    CHECK(answer.status().exceptionCode() == Status::EX_UNSUPPORTED_OPERATION);
    CHECK(std::string(answer.status().exceptionMessage()) == "not in this test");
}

TEST_CASE("a proxy has the interfaces of its object, and no others [E-5]") {
    const Service service;
    const auto found = service.client->find(v10::IDevice::descriptor, "vnpu-test");
    REQUIRE(found.has_value());
    CHECK((*found)->isRemote());
    CHECK(sp<v13::IDevice>(v13::IDevice::castFrom(*found)) != nullptr);
    CHECK(sp<v13::IBuffer>(v13::IBuffer::castFrom(*found)) == nullptr);
    CHECK((*found)->ping().isOk());
    CHECK((*service.client->names(v11::IDevice::descriptor)) ==
          std::vector<std::string>{"vnpu-test"});
    CHECK(service.client->names(v13::IBuffer::descriptor)->empty());
    CHECK(*service.client->find(v13::IDevice::descriptor, "vnpu-other") == nullptr);
}

TEST_CASE("descriptors arrive and are closed when they are no longer needed [E-5]") {
    const Service service;
    const auto device = service.find();
    ino_t seen = 0;
    std::vector<int> ints;
    service.device->onPrepare = [&](const auto&, const hidl_vec<hidl_handle>& files, const auto&,
                                    const auto&) {
        struct stat status {};
        fstat(files[0]->data[0], &status);
        seen = status.st_ino;
        ints = {files[0]->data[1], files[0]->data[2]};
        return v13::ErrorStatus::NONE;
    };
    const auto file = vnpu::hal::test::makeFile(10);
    struct stat own {};
    REQUIRE(fstat(file.get(), &own) == 0);
    native_handle_t* const raw = native_handle_create(1, 2);
    raw->data[0] = file.get();
    raw->data[1] = 11;
    raw->data[2] = 12;
    const auto send = [&] {
        return device
                ->prepareModel_1_3({}, v11::ExecutionPreference::LOW_POWER, v13::Priority::LOW, {},
                                   {hidl_handle(raw)}, {}, {}, nullptr)
                .withDefault(v13::ErrorStatus::DEVICE_UNAVAILABLE);
    };
    CHECK(send() == v13::ErrorStatus::NONE);
    CHECK(seen == own.st_ino);
    CHECK(ints == std::vector<int>{11, 12});
    const size_t descriptors = vnpu::hal::test::openFdCount();
    for (int i = 0; i < 100; ++i) {
        send();
    }
    // descriptors of the last calls in flight
    CHECK(vnpu::hal::test::openFdCount() <= descriptors + 2);
    native_handle_delete(raw);
}

TEST_CASE("an object that returns to its process is the same object [E-5]") {
    const Service service;
    const auto device = service.find();
    const sp<WatchedBuffer> own(new WatchedBuffer);
    service.device->onAllocate = [&](const auto&, const auto& callback) {
        callback(v13::ErrorStatus::NONE, own, 1);
    };
    const sp<v13::IBuffer> buffer = allocate(*device);
    REQUIRE(buffer != nullptr);
    CHECK(buffer->isRemote());

    // The client's object: the service sees a proxy, the client its own object.
    sp<v13::IPreparedModelCallback> known;
    service.device->onPrepare = [&](const auto&, const auto&, const auto&,
                                    const sp<v13::IPreparedModelCallback>& callback) {
        const auto status =
                known == nullptr ? v13::ErrorStatus::NONE : v13::ErrorStatus::INVALID_ARGUMENT;
        known = callback;
        return status;
    };
    const sp<Notified> callback(new Notified([](auto, const auto&) {}));
    CHECK(prepare(*device, {}, callback) == v13::ErrorStatus::NONE);
    REQUIRE(known != nullptr);
    CHECK(known->isRemote());
    CHECK(known.get() != callback.get());
    CHECK(known->ping().isOk());
}

TEST_CASE("the service sees its own prepared model again [MD-3]") {
    const Service service;
    const auto device = service.find();

    class Prepared : public v13::IPreparedModel {
        using Return0 = android::hardware::Return<v10::ErrorStatus>;
        using Return3 = android::hardware::Return<v13::ErrorStatus>;
        using ReturnVoid = android::hardware::Return<void>;
        Return0 execute(const v10::Request&, const sp<v10::IExecutionCallback>&) override {
            return v10::ErrorStatus::NONE;
        }
        Return0 execute_1_2(const v10::Request&, v12::MeasureTiming,
                            const sp<v12::IExecutionCallback>&) override {
            return v10::ErrorStatus::NONE;
        }
        ReturnVoid executeSynchronously(const v10::Request&, v12::MeasureTiming,
                                        executeSynchronously_cb) override {
            return android::hardware::Void();
        }
        ReturnVoid configureExecutionBurst(
                const sp<v12::IBurstCallback>&,
                const android::hardware::MQDescriptorSync<v12::FmqRequestDatum>&,
                const android::hardware::MQDescriptorSync<v12::FmqResultDatum>&,
                configureExecutionBurst_cb) override {
            return android::hardware::Void();
        }
        Return3 execute_1_3(const v13::Request&, v12::MeasureTiming, const v13::OptionalTimePoint&,
                            const v13::OptionalTimeoutDuration&,
                            const sp<v13::IExecutionCallback>&) override {
            return v13::ErrorStatus::NONE;
        }
        ReturnVoid executeSynchronously_1_3(const v13::Request&, v12::MeasureTiming,
                                            const v13::OptionalTimePoint&,
                                            const v13::OptionalTimeoutDuration&,
                                            executeSynchronously_1_3_cb) override {
            return android::hardware::Void();
        }
        ReturnVoid executeFenced(const v13::Request&, const hidl_vec<hidl_handle>&,
                                 v12::MeasureTiming, const v13::OptionalTimePoint&,
                                 const v13::OptionalTimeoutDuration&,
                                 const v13::OptionalTimeoutDuration&, executeFenced_cb) override {
            return android::hardware::Void();
        }
    };
    const sp<v13::IPreparedModel> model(new Prepared);
    service.device->onPrepare = [&](const auto&, const auto&, const auto&,
                                    const sp<v13::IPreparedModelCallback>& callback) {
        callback->notify_1_3(v13::ErrorStatus::NONE, model).isOk();
        return v13::ErrorStatus::NONE;
    };
    const auto notified = std::make_shared<std::promise<sp<v13::IPreparedModel>>>();
    REQUIRE(prepare(*device, {},
                    new Notified([notified](auto, const sp<v13::IPreparedModel>& given) {
                        notified->set_value(given);
                    })) == v13::ErrorStatus::NONE);
    const auto proxy = awaitResult(notified->get_future());
    REQUIRE(proxy != nullptr);
    std::vector<const v13::IPreparedModel*> seen;
    service.device->onAllocate = [&](const auto& models, const auto& callback) {
        for (const auto& each : models) {
            seen.push_back(each.get());
        }
        callback(v13::ErrorStatus::GENERAL_FAILURE, nullptr, 0);
    };
    CHECK(device->allocate({}, {proxy, nullptr, proxy}, {}, {}, [](auto, const auto&, auto) {
                }).isOk());
    CHECK(seen == std::vector<const v13::IPreparedModel*>{model.get(), nullptr, model.get()});
}

TEST_CASE("a callback may call the service while a call is under way [E-5]") {
    const Service service;
    const auto device = service.find();
    service.device->onPrepare = [&](const auto&, const auto&, const auto&,
                                    const sp<v13::IPreparedModelCallback>& callback) {
        callback->notify_1_3(v13::ErrorStatus::NONE, nullptr).isOk();
        // A synchronous call into the client, which is waiting for this one.
        CHECK(callback->ping().isOk());
        return v13::ErrorStatus::NONE;
    };
    const auto seen = std::make_shared<std::promise<v10::DeviceStatus>>();
    CHECK(prepare(*device, {}, new Notified([&](auto, const auto&) {
              seen->set_value(device->getStatus().withDefault(v10::DeviceStatus::UNKNOWN));
          })) == v13::ErrorStatus::NONE);
    CHECK(awaitResult(seen->get_future()) == v10::DeviceStatus::AVAILABLE);
}

TEST_CASE("calls of several threads run side by side [E-5]") {
    constexpr int kThreads = 8;
    const Service service;
    const auto device = service.find();
    std::mutex mutex;
    std::condition_variable changed;
    int present = 0;
    service.device->onGetStatus = [&] {
        std::unique_lock lock(mutex);
        ++present;
        changed.notify_all();
        changed.wait_for(lock, kPatience, [&] { return present == kThreads; });
        return present == kThreads ? v10::DeviceStatus::AVAILABLE : v10::DeviceStatus::OFFLINE;
    };
    std::vector<std::future<v10::DeviceStatus>> answers;
    for (int i = 0; i < kThreads; ++i) {
        answers.push_back(std::async(std::launch::async, [&] {
            return device->getStatus().withDefault(v10::DeviceStatus::UNKNOWN);
        }));
    }
    for (auto& answer : answers) {
        CHECK(answer.get() == v10::DeviceStatus::AVAILABLE);
    }
}

TEST_CASE("the service knows the caller, during the call only [Q-1]") {
    const Service service;
    const auto device = service.find();
    auto* const state = android::hardware::IPCThreadState::self();
    pid_t pid = 0;
    uid_t uid = 0;
    service.device->onGetStatus = [&] {
        pid = state->getCallingPid();
        uid = state->getCallingUid();
        return v10::DeviceStatus::AVAILABLE;
    };
    vnpu::hal::setCallerUidProvider([] { return 12345U; });
    CHECK(device->getStatus().isOk());
    CHECK(pid == getpid());
    CHECK(uid == getuid());
    CHECK(state->getCallingUid() == 12345);
    vnpu::hal::setCallerUidProvider({});
}

TEST_CASE("an object lives as long as the client holds it, and ends before the next call [E-5]") {
    const Service service;
    const auto device = service.find();
    std::atomic<int> ends{0};
    service.device->onAllocate = [&](const auto&, const auto& callback) {
        callback(v13::ErrorStatus::NONE, new WatchedBuffer([&] { ++ends; }), 1);
    };
    for (int i = 0; i < 20; ++i) {
        const sp<v13::IBuffer> buffer = allocate(*device);
        CHECK(buffer->copyFrom({}, {}).isOk());
        CHECK(ends == i);
    }
    CHECK(device->getStatus().isOk());
    CHECK(ends == 20);
}

TEST_CASE("a model with large constants arrives [E-5]") {
    CHECK(RpcLimits{}.messageBytes >= size_t{256} << 20);
    const Service service;
    const auto device = service.find();
    size_t received = 0;
    service.device->onPrepare = [&](const v13::Model& model, const auto&, const auto&,
                                    const auto&) {
        received = model.operandValues.size();
        return v13::ErrorStatus::NONE;
    };
    v13::Model model;
    for (const size_t bytes : {size_t{36} << 20, size_t{80} << 20}) {
        model.operandValues.resize(bytes);
        CHECK(prepare(*device, model, nullptr) == v13::ErrorStatus::NONE);
        CHECK(received == bytes);
    }
}

TEST_CASE("a message beyond the client's limit fails by itself, with size and limit [E-5]") {
    const Service service;
    const auto check = [](vnpu::hal::RpcClient& client) {
        const auto device = Service::find(client);
        v13::Model model;
        model.operandValues.resize(2 << 20);
        const auto refused = device->prepareModel_1_3(model, v11::ExecutionPreference::LOW_POWER,
                                                      v13::Priority::LOW, {}, {}, {}, {}, nullptr);
        const std::string reason = refused.description();
        INFO(reason);
        CHECK(reason.find("a message of 209") != std::string::npos);
        CHECK(reason.find("bytes, expected at most 1048576 (VNPU_LIMIT_MESSAGE)") !=
              std::string::npos);
        CHECK(device->getStatus().isOk());
    };
    RpcLimits limits;
    limits.messageBytes = 1 << 20;
    auto limited = vnpu::hal::RpcClient::connect(service.folder.socket(), limits);
    REQUIRE(limited.has_value());
    check(**limited);
    REQUIRE(setenv("VNPU_LIMIT_MESSAGE", "1048576", 1) == 0);
    const auto byEnvironment = service.connect();
    REQUIRE(unsetenv("VNPU_LIMIT_MESSAGE") == 0);
    check(*byEnvironment);
}

TEST_CASE("a limit of messages that is no number, or too large, is not used [E-5]") {
    for (const char* value : {"", "0", "-1", "12x", "536870912", "99999999999999999999"}) {
        REQUIRE(setenv("VNPU_LIMIT_MESSAGE", value, 1) == 0);
        CHECK(vnpu::hal::clientLimits().messageBytes == RpcLimits{}.messageBytes);
    }
    REQUIRE(setenv("VNPU_LIMIT_MESSAGE", "536870911", 1) == 0);
    CHECK(vnpu::hal::clientLimits().messageBytes == 536870911);
    REQUIRE(unsetenv("VNPU_LIMIT_MESSAGE") == 0);
}

TEST_CASE("a message beyond the service's limit costs the connection [E-5]") {
    RpcLimits limits;
    limits.messageBytes = 1 << 20;
    const Service service(limits);
    const auto device = service.find();
    v13::Model model;
    model.operandValues.resize(size_t{8} << 20);
    CHECK(prepare(*device, model, nullptr) == v13::ErrorStatus::DEVICE_UNAVAILABLE);
    const auto other = service.connect();
    CHECK(service.find(*other)->getStatus().isOk());
}

TEST_CASE("calls, objects and callbacks beyond their limits are refused [E-5]") {
    RpcLimits limits;
    limits.callsPerConnection = 1;
    limits.objects = 4;
    limits.references = 3;
    const Service service(limits);
    const auto device = service.find();

    Happening isIn;
    Happening mayLeave;
    service.device->onGetStatus = [&] {
        isIn.happen();
        mayLeave.wait();
        return v10::DeviceStatus::AVAILABLE;
    };
    auto first = std::async(std::launch::async, [&] { return device->getStatus().isOk(); });
    REQUIRE(isIn.wait());
    const auto second = device->ping();
    CHECK_FALSE(second.isOk());
    CHECK(second.description().find("1 calls under way, expected at most 1") != std::string::npos);
    mayLeave.happen();
    CHECK(first.get());

    service.device->onAllocate = [&](const auto&, const auto& callback) {
        callback(v13::ErrorStatus::NONE, new WatchedBuffer, 1);
    };
    std::vector<sp<v13::IBuffer>> buffers;
    for (int i = 0; i < 3; ++i) {  // the device is an object too
        buffers.push_back(allocate(*device));
    }
    const auto refused = device->allocate({}, {}, {}, {}, [](auto, const auto&, auto) {});
    CHECK_FALSE(refused.isOk());
    CHECK(refused.description().find("objects, expected at most 4") != std::string::npos);
    buffers.pop_back();
    CHECK(allocate(*device) != nullptr);

    std::vector<sp<v13::IPreparedModelCallback>> kept;
    service.device->onPrepare = [&](const auto&, const auto&, const auto&,
                                    const sp<v13::IPreparedModelCallback>& callback) {
        kept.push_back(callback);
        return v13::ErrorStatus::NONE;
    };
    for (int i = 0; i < 3; ++i) {
        CHECK(prepare(*device, {}, new Notified([](auto, const auto&) {})) ==
              v13::ErrorStatus::NONE);
    }
    CHECK(prepare(*device, {}, new Notified([](auto, const auto&) {})) ==
          v13::ErrorStatus::DEVICE_UNAVAILABLE);
}

TEST_SUITE_END();
