// SPDX-License-Identifier: Apache-2.0
// Compilation caching according to HAL 1.2 and 1.3, in the order of the VTS's
// CompilationCachingTests.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

#include "hw_model/regs/register_map.h"
#include "tests/driver/cache/temporary_files.h"
#include "tests/driver/support/service.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
using android::sp;
using android::hardware::hidl_array;
using android::hardware::hidl_handle;
using android::hardware::hidl_vec;
using android::hardware::Return;
using android::hardware::Void;
using nn::V1_1::ExecutionPreference;
using nn::V1_3::Priority;

namespace {

using Handles = hidl_vec<hidl_handle>;
using Token = hidl_array<std::uint8_t, 32>;

enum class Hal { k12, k13 };

Token tokenOf(std::uint8_t value) {
    Token token;
    std::fill_n(token.data(), Token::size(), value);
    return token;
}

/// The answers of both versions, as types of 1.3.
struct CacheCallback : nn::V1_3::IPreparedModelCallback {
    explicit CacheCallback(PrepareOutcome& told) : outcome(told) {}

    Return<void> notify(nn::V1_0::ErrorStatus, const sp<nn::V1_0::IPreparedModel>&) override {
        FAIL("no caching in 1.0");
        return Void();
    }
    Return<void> notify_1_2(nn::V1_0::ErrorStatus status,
                            const sp<nn::V1_2::IPreparedModel>& model) override {
        sp<nn::V1_3::IPreparedModel> cast;
        if (model != nullptr) {
            cast = nn::V1_3::IPreparedModel::castFrom(model).withDefault(nullptr);
        }
        return note(static_cast<ErrorStatus>(status), cast);
    }
    Return<void> notify_1_3(ErrorStatus status,
                            const sp<nn::V1_3::IPreparedModel>& model) override {
        return note(status, model);
    }
    Return<void> note(ErrorStatus status, const sp<nn::V1_3::IPreparedModel>& model) {
        outcome.status = status;
        outcome.model = model;
        ++outcome.notifications;
        return Void();
    }

    PrepareOutcome& outcome;
};

/// The files of a call; by default a pair with one handle each.
struct Files {
    Files() = default;
    explicit Files(const CacheFilePair& pair)
        : model(handlesOf({{pair.model.fd()}})), data(handlesOf({{pair.data.fd()}})) {}

    Handles model;
    Handles data;
};

/// reluModelWithConstants as types of 1.2.
nn::V1_2::Model toHal12(const nn::V1_3::Model& model) {
    nn::V1_2::Model result;
    result.operands.resize(model.main.operands.size());
    for (std::size_t i = 0; i < model.main.operands.size(); ++i) {
        const auto& operand = model.main.operands[i];
        result.operands[i].type = static_cast<nn::V1_2::OperandType>(operand.type);
        result.operands[i].dimensions = operand.dimensions;
        result.operands[i].numberOfConsumers = operand.numberOfConsumers;
        result.operands[i].scale = operand.scale;
        result.operands[i].lifetime = static_cast<nn::V1_0::OperandLifeTime>(operand.lifetime);
        result.operands[i].location = operand.location;
    }
    result.operations = {{.type = nn::V1_2::OperationType::RELU, .inputs = {0}, .outputs = {1}}};
    result.inputIndexes = model.main.inputIndexes;
    result.outputIndexes = model.main.outputIndexes;
    result.operandValues = model.operandValues;
    result.pools = model.pools;
    return result;
}

PrepareOutcome save(const sp<nn::V1_3::IDevice>& device, const nn::V1_3::Model& model,
                    const Files& files, std::uint8_t token = 1, Hal hal = Hal::k13,
                    Priority priority = Priority::MEDIUM) {
    PrepareOutcome outcome;
    const sp<CacheCallback> callback = new CacheCallback(outcome);
    if (hal == Hal::k12) {
        outcome.launch = static_cast<ErrorStatus>(static_cast<nn::V1_0::ErrorStatus>(
                device->prepareModel_1_2(toHal12(model), ExecutionPreference::FAST_SINGLE_ANSWER,
                                         files.model, files.data, tokenOf(token), callback)));
    } else {
        outcome.launch =
                device->prepareModel_1_3(model, ExecutionPreference::FAST_SINGLE_ANSWER, priority,
                                         {}, files.model, files.data, tokenOf(token), callback);
    }
    CHECK_EQ(outcome.notifications, 1);
    return outcome;
}

PrepareOutcome load(const sp<nn::V1_3::IDevice>& device, const Files& files, std::uint8_t token = 1,
                    Hal hal = Hal::k13, const nn::V1_3::OptionalTimePoint& deadline = {}) {
    PrepareOutcome outcome;
    const sp<CacheCallback> callback = new CacheCallback(outcome);
    if (hal == Hal::k12) {
        outcome.launch = static_cast<ErrorStatus>(static_cast<nn::V1_0::ErrorStatus>(
                device->prepareModelFromCache(files.model, files.data, tokenOf(token), callback)));
    } else {
        outcome.launch = device->prepareModelFromCache_1_3(deadline, files.model, files.data,
                                                           tokenOf(token), callback);
    }
    CHECK_EQ(outcome.notifications, 1);
    return outcome;
}

void checkRefused(const PrepareOutcome& outcome, ErrorStatus expected) {
    CHECK_EQ(outcome.launch, expected);
    CHECK_EQ(outcome.status, expected);
    CHECK_EQ(outcome.model, nullptr);
}

/// A RELU whose results the fake device increases by the constants `copied` and `pooled`.
nn::V1_3::Model addingModel(std::uint8_t copied, const Pool& pooled) {
    return reluModelWithConstants({1, 16}, copied, pooled.memory);
}

/// The model's result for an input of 100s; 0 if it fails.
int resultOf(const PrepareOutcome& prepared) {
    if (prepared.status != ErrorStatus::NONE || prepared.model == nullptr) {
        return 0;
    }
    const Pool input(16);
    const Pool output(16);
    std::fill_n(input.bytes(), 16, std::uint8_t{100});
    if (executeSync(prepared.model, requestOf(input, output, 16)).status != ErrorStatus::NONE) {
        return 0;
    }
    CHECK(std::all_of(output.bytes(), output.bytes() + 16,
                      [&](std::uint8_t value) { return value == output.bytes()[0]; }));
    return output.bytes()[0];
}

/// A cache with token 1 of a model that adds `copied` and 5.
struct SavedCache : CacheFilePair {
    explicit SavedCache(Service& service, std::uint8_t copied = 3) {
        const Pool pooled(64);
        pooled.bytes()[0] = 5;
        REQUIRE_EQ(resultOf(save(service.device, addingModel(copied, pooled), Files(*this))),
                   100 + copied + 5);
    }
};

}  // namespace

TEST_SUITE_BEGIN("driver/hal/caching");

TEST_CASE("a compilation is kept in one model cache and one data cache file") {
    Service service;
    std::vector<std::uint32_t> told;
    const auto returned = service.device->getNumberOfCacheFilesNeeded(
            [&](nn::V1_0::ErrorStatus status, std::uint32_t model, std::uint32_t data) {
                CHECK_EQ(status, nn::V1_0::ErrorStatus::NONE);
                told = {model, data};
            });
    CHECK(returned.isOk());
    CHECK_EQ(told, std::vector<std::uint32_t>{1, 1});
}

TEST_CASE("a model from the cache gives the same results and is not compiled again") {
    for (const Hal hal : {Hal::k12, Hal::k13}) {
        Service service;
        const CacheFilePair files;
        {
            const Pool pooled(64);
            pooled.bytes()[0] = 5;
            REQUIRE_EQ(resultOf(save(service.device, addingModel(3, pooled), Files(files), 1, hal)),
                       108);
            pooled.bytes()[0] = 50;  // the client may change its pool again
        }
        service.compiler.refusal = "asked again";
        const std::size_t compilations = service.compiler.seenOptions.size();

        const PrepareOutcome loaded = load(service.device, Files(files), 1, hal);

        CHECK_EQ(loaded.launch, ErrorStatus::NONE);
        CHECK_EQ(loaded.status, ErrorStatus::NONE);
        CHECK_EQ(resultOf(loaded), 108);
        CHECK_EQ(service.compiler.seenOptions.size(), compilations);
    }
}

TEST_CASE("each HAL version loads what the other saved, also in another driver process") {
    const CacheFilePair files;
    const Pool pooled(64);
    {
        Service first;
        REQUIRE_EQ(resultOf(save(first.device, addingModel(3, pooled), Files(files), 1, Hal::k12)),
                   103);
    }
    Service second;
    CHECK_EQ(resultOf(load(second.device, Files(files), 1, Hal::k13)), 103);
}

TEST_CASE(
        "the offsets of the descriptors do not matter [VTS CacheSavingAndRetrievalNonZeroOffset]") {
    Service service;
    const CacheFilePair files;
    const Pool pooled(64);
    REQUIRE_EQ(write(files.model.fd(), "a", 1), 1);
    REQUIRE_EQ(write(files.data.fd(), "a", 1), 1);
    REQUIRE_EQ(save(service.device, addingModel(3, pooled), Files(files)).status,
               ErrorStatus::NONE);
    REQUIRE_EQ(lseek(files.model.fd(), 1, SEEK_SET), 1);
    REQUIRE_EQ(lseek(files.data.fd(), 1, SEEK_SET), 1);

    CHECK_EQ(resultOf(load(service.device, Files(files))), 103);
}

TEST_CASE("a model from the cache has the priority that it was saved with [Q-1]") {
    const CacheFilePair files;
    const Pool pooled(64);
    {
        Service first;
        REQUIRE_EQ(save(first.device, addingModel(3, pooled), Files(files), 1, Hal::k13,
                        Priority::HIGH)
                           .status,
                   ErrorStatus::NONE);
    }
    Service second;
    const PrepareOutcome loaded = load(second.device, Files(files));
    REQUIRE_EQ(loaded.status, ErrorStatus::NONE);
    std::vector<std::uint32_t> bands;
    for (const vnpu::fw::Message& message : second.port.messages()) {
        if (message.type == vnpu::fw::MessageType::kCreateRing) {
            bands.push_back(message.value);
        }
    }
    CHECK_EQ(bands, std::vector<std::uint32_t>{
                            static_cast<std::uint32_t>(vnpu::fw::PriorityBand::kRealtime)});
}

TEST_CASE("a model with open input shapes is cached too, and compiled when the shapes are known") {
    const CacheFilePair files;
    {
        Service first;
        REQUIRE_EQ(save(first.device, reluModel({0, 4}), Files(files)).status, ErrorStatus::NONE);
    }
    Service second;
    const PrepareOutcome loaded = load(second.device, Files(files));
    REQUIRE_EQ(loaded.status, ErrorStatus::NONE);
    CHECK(second.compiler.seenOptions.empty());
    const Pool input(12);
    const Pool output(12);
    std::fill_n(input.bytes(), 12, std::uint8_t{7});
    nn::V1_3::Request request = requestOf(input, output, 12);
    request.inputs[0].dimensions = {3, 4};

    const Outcome outcome = executeSync(loaded.model, request);

    CHECK_EQ(outcome.status, ErrorStatus::NONE);
    CHECK_EQ(output.bytes()[11], 7);
    REQUIRE_EQ(second.compiler.seenOptions.size(), 1);
    CHECK_EQ(second.compiler.seenOptions[0].inputDimensions,
             std::vector<std::vector<std::uint32_t>>{{3, 4}});
}

TEST_CASE("without files nothing is cached, and the preparation succeeds") {
    Service service;
    const Pool pooled(64);
    CHECK_EQ(resultOf(save(service.device, addingModel(3, pooled), Files())), 103);
    CHECK_FALSE(service.observer.hasLogged("not cached"));
}

TEST_CASE("handles that cannot be a cache spare the preparation, and do not load [VTS Invalid*]") {
    const CacheFilePair pair;
    const int model = pair.model.fd();
    const int data = pair.data.fd();
    const Files good(pair);
    const std::vector<std::vector<std::vector<int>>> bads = {
            {}, {{-2}}, {{}}, {{model, data}}, {{model}, {data}}};
    for (const Hal hal : {Hal::k12, Hal::k13}) {
        for (const auto& bad : bads) {
            for (const bool isModel : {true, false}) {
                Service service;
                const Pool pooled(64);
                Files files = good;
                (isModel ? files.model : files.data) = handlesOf(bad);

                CHECK_EQ(resultOf(save(service.device, addingModel(3, pooled), files, 1, hal)),
                         103);
                CHECK(service.observer.hasLogged("prepared, but not cached"));
                checkRefused(load(service.device, files, 1, hal), ErrorStatus::INVALID_ARGUMENT);
                checkRefused(load(service.device, good, 1, hal), ErrorStatus::GENERAL_FAILURE);
            }
        }
    }
}

TEST_CASE("descriptors that cannot be a cache spare the preparation, and do not load") {
    Service service;
    const SavedCache other(service);
    int ends[2];
    REQUIRE_EQ(pipe2(ends, O_CLOEXEC), 0);
    const Descriptor readEnd(ends[0]);
    const Descriptor writeEnd(ends[1]);
    const Descriptor readOnly(other.model.open(O_RDONLY));
    const Descriptor writeOnly(other.model.open(O_WRONLY));
    const Descriptor folder(open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (const int bad :
         {readEnd.get(), writeEnd.get(), readOnly.get(), writeOnly.get(), folder.get(), -1}) {
        for (const bool isModel : {true, false}) {
            const SavedCache pair(service);
            Files files(pair);
            (isModel ? files.model : files.data) = handlesOf({{bad}});
            const Pool pooled(64);

            CHECK_EQ(resultOf(save(service.device, addingModel(7, pooled), files)), 107);
            checkRefused(load(service.device, files), ErrorStatus::GENERAL_FAILURE);
            checkRefused(load(service.device, Files(pair)), ErrorStatus::GENERAL_FAILURE);
        }
    }
}

TEST_CASE("saves that fail alternately on either file never form a valid cache") {
    // The VTS opens one file after the other read-only, over the same two files.
    Service service;
    const CacheFilePair pair;
    const Pool pooled(64);
    for (const bool isModel : {true, false}) {
        const Descriptor readOnly((isModel ? pair.model : pair.data).open(O_RDONLY));
        Files files(pair);
        (isModel ? files.model : files.data) = handlesOf({{readOnly.get()}});
        CHECK_EQ(resultOf(save(service.device, addingModel(3, pooled), files)), 103);
        checkRefused(load(service.device, files), ErrorStatus::GENERAL_FAILURE);
    }
    checkRefused(load(service.device, Files(pair)), ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a missing callback is refused by both versions") {
    Service service;
    const SavedCache cache(service);
    const Files files(cache);
    CHECK_EQ(static_cast<ErrorStatus>(service.device->prepareModelFromCache_1_3(
                     {}, files.model, files.data, tokenOf(1), nullptr)),
             ErrorStatus::INVALID_ARGUMENT);
    CHECK_EQ(static_cast<nn::V1_0::ErrorStatus>(service.device->prepareModelFromCache(
                     files.model, files.data, tokenOf(1), nullptr)),
             nn::V1_0::ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("damaged files fail as a whole and leave nothing behind [VTS Corrupted*, WrongLength*]") {
    Service service;
    const SavedCache cache(service);
    const Files files(cache);
    std::mt19937 random(20240229);
    REQUIRE(service.isUntouched());
    const int descriptors = openDescriptors();
    for (const TemporaryFile* file : {&cache.model, &cache.data}) {
        const auto good = file->read();
        for (int round = 0; round < 400; ++round) {
            auto bad = good;
            if (round % 4 == 0) {
                bad.resize(random() % (2 * good.size()), std::byte{0x77});
            } else {
                bad[random() % bad.size()] ^= std::byte{1} << (random() % 8);
            }
            file->write(bad);
            const Hal hal = round % 2 == 0 ? Hal::k12 : Hal::k13;
            if (bad != good) {
                checkRefused(load(service.device, files, 1, hal), ErrorStatus::GENERAL_FAILURE);
            }
        }
        file->write(good);
    }
    CHECK(service.isUntouched());
    CHECK_EQ(openDescriptors(), descriptors);
    CHECK_EQ(resultOf(load(service.device, files)), 108);
    CHECK(service.isUntouched());
    CHECK_EQ(openDescriptors(), descriptors);
}

TEST_CASE("another token does not load [VTS WrongToken]") {
    Service service;
    const SavedCache cache(service);
    checkRefused(load(service.device, Files(cache), 2), ErrorStatus::GENERAL_FAILURE);
    CHECK(service.observer.hasLogged("model cache has another token"));
}

TEST_CASE("another model's files do not load [VTS ReplaceSecuritySensitiveCache]") {
    Service service;
    const SavedCache first(service, 3);
    const SavedCache second(service, 4);
    Files mixed(first);
    mixed.model = Files(second).model;
    checkRefused(load(service.device, mixed), ErrorStatus::GENERAL_FAILURE);
    mixed = Files(second);
    mixed.model = Files(first).model;
    checkRefused(load(service.device, mixed), ErrorStatus::GENERAL_FAILURE);
    Files swapped(first);
    std::swap(swapped.model, swapped.data);
    checkRefused(load(service.device, swapped), ErrorStatus::GENERAL_FAILURE);
    CHECK_EQ(resultOf(load(service.device, Files(second))), 109);
}

TEST_CASE("a cache of another driver version or device configuration does not load") {
    Service service;
    const SavedCache cache(service);
    DriverOptions options;
    options.versionString = "vnpu-1.3-next";
    Service next(options);
    checkRefused(load(next.device, Files(cache)), ErrorStatus::GENERAL_FAILURE);
    CHECK(next.observer.hasLogged("another device configuration or driver version"));

    FakeDevicePort port;
    port.setRegister(vnpu::hw::regs::ConfigSram::kSpec.offset, 256 | 8 << 16);
    FakeCompiler compiler;
    auto runtime = DeviceRuntime::create(port, {});
    REQUIRE(runtime.has_value());
    const sp<nn::V1_3::IDevice> smaller = new NpuDevice(std::move(*runtime), compiler.functions());
    checkRefused(load(smaller, Files(cache)), ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a deadline that has passed is missed, and one that is far is not [Q-5]") {
    Service service;
    const SavedCache cache(service);
    service.port.advance(std::chrono::milliseconds(1));

    const PrepareOutcome missed =
            load(service.device, Files(cache), 1, Hal::k13, at(std::chrono::milliseconds(1)));
    CHECK_EQ(missed.launch, ErrorStatus::NONE);
    CHECK_EQ(missed.status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK_EQ(missed.model, nullptr);
    CHECK_EQ(resultOf(load(service.device, Files(cache), 1, Hal::k13, at(std::chrono::hours(1)))),
             108);
}

TEST_CASE("a cached model that does not fit beside others is refused for now [Q-6]") {
    Service service;
    service.compiler.scratchBytes = FakeDevicePort::kMemoryBytes * 3 / 4;
    const CacheFilePair files;
    const Pool pooled(64);
    PrepareOutcome first = save(service.device, addingModel(3, pooled), Files(files));
    REQUIRE_EQ(first.status, ErrorStatus::NONE);

    CHECK_EQ(load(service.device, Files(files)).status, ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT);

    first.model = nullptr;
    CHECK_EQ(resultOf(load(service.device, Files(files))), 103);
}

TEST_CASE("files replaced while they are read fail or are right [VTS PrepareFromCache_TOCTOU]") {
    Service service;
    const SavedCache one(service, 3);
    const SavedCache two(service, 4);
    const CacheFilePair files;
    const std::vector<std::byte> contents[2][2] = {{one.model.read(), one.data.read()},
                                                   {two.model.read(), two.data.read()}};
    std::atomic<bool> isDone{false};
    std::atomic<std::size_t> turns{0};
    std::thread attacker([&] {
        for (; !isDone; ++turns) {
            files.model.write(contents[turns % 2][0]);
            files.data.write(contents[turns % 2][1]);
        }
    });
    for (int round = 0; round < 300 || turns < 300; ++round) {
        const PrepareOutcome loaded = load(service.device, Files(files));
        if (loaded.status == ErrorStatus::NONE) {
            const int result = resultOf(loaded);
            CHECK((result == 108 || result == 109));
        } else {
            checkRefused(loaded, ErrorStatus::GENERAL_FAILURE);
        }
    }
    isDone = true;
    attacker.join();
}

TEST_CASE("files replaced while they are written fail or are right [VTS SaveToCache_TOCTOU]") {
    Service service;
    const SavedCache one(service, 3);
    const CacheFilePair files;
    const std::vector<std::byte> model = one.model.read();
    const std::vector<std::byte> data = one.data.read();
    const Pool pooled(64);
    for (int round = 0; round < 100; ++round) {
        std::thread attacker([&] {
            files.model.write(model);
            files.data.write(data);
        });
        CHECK_EQ(resultOf(save(service.device, addingModel(20, pooled), Files(files))), 120);
        attacker.join();
        const PrepareOutcome loaded = load(service.device, Files(files));
        if (loaded.status == ErrorStatus::NONE) {
            const int result = resultOf(loaded);
            CHECK((result == 108 || result == 120));
        } else {
            checkRefused(loaded, ErrorStatus::GENERAL_FAILURE);
        }
    }
}

TEST_SUITE_END();
