// SPDX-License-Identifier: Apache-2.0
// Client calls in the style of the HAL's own test suites: executions, fences, buffers, memories,
// and the methods of earlier versions.
#include <android/hidl/memory/1.0/IMemory.h>
#include <android/sync.h>
#include <doctest/doctest.h>
#include <hidlmemory/mapping.h>

#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/hal/compatibility/gtest_like.h"
#include "tests/hal/compatibility/suite_fixture.h"

namespace android::hardware::neuralnetworks::V1_3::compatibility {

using gtest_like::isEqual;
using gtest_like::print;
using hidl::memory::V1_0::IMemory;

namespace {

TEST_SUITE_BEGIN("hal/compatibility");

TEST_CASE(VNPU_LANGUAGE ": an execution with everything left out") {
    Fixture f;
    sp<ExecutionCallback> callback = new ExecutionCallback();
    Return<ErrorStatus> launched =
            f.preparedModel->execute_1_3(f.request, MeasureTiming::YES, {}, {}, callback);
    CHECK(launched.isOk());
    CHECK(isEqual(ErrorStatus::NONE, static_cast<ErrorStatus>(launched)));
    const Execution& execution = callback->wait();
    CHECK(execution.status == ErrorStatus::NONE);
    REQUIRE(execution.shapes.size() == 1);
    const std::vector<uint32_t> dimensions = execution.shapes[0].dimensions;
    CHECK(dimensions == std::vector<uint32_t>({2, 2}));
    CHECK(execution.timing == Timing{UINT64_MAX, UINT64_MAX});
}

TEST_CASE(VNPU_LANGUAGE ": a synchronous execution with a deadline and a loop timeout") {
    Fixture f;
    OptionalTimePoint deadline;
    deadline.nanosecondsSinceEpoch(std::numeric_limits<uint64_t>::max());
    OptionalTimeoutDuration loopTimeoutDuration;
    constexpr uint64_t kMillisecond = 1'000'000;
    loopTimeoutDuration.nanoseconds(1 * kMillisecond);
    ErrorStatus result = ErrorStatus::GENERAL_FAILURE;
    hidl_vec<OutputShape> outputShapes;
    Timing timing{};
    Return<void> ret = f.preparedModel->executeSynchronously_1_3(
            f.request, MeasureTiming::NO, deadline, loopTimeoutDuration,
            [&result, &outputShapes, &timing](
                    ErrorStatus error, const hidl_vec<OutputShape>& shapes, const Timing& time) {
                result = error;
                outputShapes = shapes;
                timing = time;
            });
    CHECK((ret.isOk() && result == ErrorStatus::NONE));
    CHECK(outputShapes[0].isSufficient);
    CHECK(timing.timeInDriver == 2);
}

TEST_CASE(VNPU_LANGUAGE ": fenced executions with handles in braces") {
    Fixture f;
    ErrorStatus result = ErrorStatus::GENERAL_FAILURE;
    hidl_handle syncFenceHandle;
    sp<IFencedExecutionCallback> fencedCallback;
    auto callbackFunc = [&](ErrorStatus error, const hidl_handle& handle,
                            const sp<IFencedExecutionCallback>& callback) {
        result = error;
        syncFenceHandle = handle;
        fencedCallback = callback;
    };
    Return<void> ret = f.preparedModel->executeFenced(f.request, {}, MeasureTiming::NO, {}, {}, {},
                                                      callbackFunc);
    CHECK((ret.isOk() && result == ErrorStatus::NONE));
    CHECK(syncFenceHandle.getNativeHandle() == nullptr);
    REQUIRE(fencedCallback != nullptr);
    ret = fencedCallback->getExecutionInfo(
            [&result](ErrorStatus error, Timing, Timing) { result = error; });
    CHECK(ret.isOk());
    ret = f.preparedModel->executeFenced(f.request, {hidl_handle(nullptr)}, MeasureTiming::NO, {},
                                         {}, {}, callbackFunc);
    CHECK((ret.isOk() && result == ErrorStatus::INVALID_ARGUMENT));
    CHECK(isEqual(fencedCallback, nullptr));
    CHECK(sync_wait(-1, 0) == -1);
}

TEST_CASE(VNPU_LANGUAGE ": buffers are allocated with roles in braces") {
    Fixture f;
    struct Arguments {
        hidl_vec<uint32_t> dimensions;
        hidl_vec<sp<IPreparedModel>> preparedModels;
        hidl_vec<BufferRole> inputRoles;
        hidl_vec<BufferRole> outputRoles;
    };
    const auto allocate = [&f](Arguments args) {
        ErrorStatus answer = ErrorStatus::GENERAL_FAILURE;
        const auto ret = f.kDevice->allocate(
                {.dimensions = std::move(args.dimensions)}, std::move(args.preparedModels),
                std::move(args.inputRoles), std::move(args.outputRoles),
                [&answer](ErrorStatus status, const sp<IBuffer>& buffer, uint32_t token) {
                    CHECK((buffer == nullptr) == (token == 0));
                    answer = status;
                });
        CHECK(ret.isOk());
        return answer;
    };
    CHECK(allocate({}) == ErrorStatus::INVALID_ARGUMENT);
    CHECK(allocate({.dimensions = {},
                    .preparedModels = {nullptr},
                    .inputRoles = {{.modelIndex = 0, .ioIndex = 0, .frequency = 1.0F}},
                    .outputRoles = {}}) == ErrorStatus::INVALID_ARGUMENT);
    CHECK(allocate({.dimensions = {},
                    .preparedModels = {f.preparedModel, f.preparedModel},
                    .inputRoles = {{.modelIndex = 0, .ioIndex = 0, .frequency = 1.0F},
                                   {.modelIndex = 1, .ioIndex = 0, .frequency = 1.0F}},
                    .outputRoles = {}}) == ErrorStatus::NONE);
    BufferRole role = {.modelIndex = 0, .ioIndex = 0, .frequency = 1.0F};
    hidl_vec<BufferRole> inputRoles, outputRoles;
    outputRoles = {role};
    std::pair<sp<IBuffer>, uint32_t> buffer;
    auto cb = [&buffer](ErrorStatus, const sp<IBuffer>& buf, uint32_t token) {
        buffer = {buf, token};
    };
    CHECK(f.kDevice->allocate({}, {f.preparedModel}, inputRoles, outputRoles, cb).isOk());
    REQUIRE(buffer.first != nullptr);
    auto ret = buffer.first->copyFrom(allocateShared(4), {});
    CHECK((ret.isOk() && static_cast<ErrorStatus>(ret) == ErrorStatus::NONE));
    CHECK(buffer.first->copyTo(hidl_memory()).withDefault(ErrorStatus::NONE) ==
          ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE(VNPU_LANGUAGE ": memory is mapped, written and handed on") {
    const Request request = createRequest();
    const sp<IMemory> mapped = mapMemory(request.pools[0].hidlMemory());
    REQUIRE(mapped.get() != nullptr);
    CHECK(mapped->getSize().withDefault(0) == 64);
    uint8_t* bytes = static_cast<uint8_t*>(static_cast<void*>(mapped->getPointer()));
    mapped->update();
    std::iota(bytes, bytes + 64, uint8_t{1});
    mapped->commit();
    const hidl_memory copy = request.pools[0].hidlMemory();
    const sp<IMemory> again = mapMemory(copy);
    REQUIRE(again != nullptr);
    CHECK(reinterpret_cast<const uint8_t*>(static_cast<void*>(again->getPointer()))[63] == 64);
    CHECK(copy.name() == "ashmem");
    CHECK((std::string(copy.name()) == "ashmem" && copy.size() == 64 && copy.valid()));
    CHECK(request.pools[1].getDiscriminator() == Request::MemoryPool::hidl_discriminator::token);
    CHECK(request.pools[1].token() == 7);
    CHECK(mapMemory(hidl_memory()) == nullptr);
}

TEST_CASE(VNPU_LANGUAGE ": callers of earlier versions") {
    Fixture f;
    const sp<V1_0::IDevice> device10 = f.kDevice;
    const sp<V1_2::IDevice> device12 = V1_2::IDevice::castFrom(device10).withDefault(nullptr);
    REQUIRE(device12 != nullptr);
    sp<PreparedModelCallback> callback = new PreparedModelCallback();
    V1_0::Model model10 = {.operands = {}, .operations = hidl_vec<V1_0::Operation>(2)};
    CHECK(device10->prepareModel(model10, callback).isOk());
    CHECK(callback->getStatus() == ErrorStatus::NONE);
    CHECK(V1_2::IPreparedModel::castFrom(callback->getPreparedModel()).withDefault(nullptr) !=
          nullptr);
    const Return<void> ret = device10->getSupportedOperations(
            model10, [](V1_0::ErrorStatus status, const hidl_vec<bool>& supported) {
                CHECK((status == V1_0::ErrorStatus::NONE && supported.size() == 2));
                CHECK_FALSE(supported[0]);
            });
    CHECK(ret.isOk());
    CHECK(device12->getSupportedExtensions(
                          [](V1_0::ErrorStatus, const hidl_vec<V1_2::Extension>& extensions) {
                              for (auto& extension : extensions) {
                                  std::string extensionName = extension.name;
                                  CHECK(extensionName.find('.') != std::string::npos);
                                  CHECK(extension.operandTypes[0].byteSize == 2);
                              }
                          })
                  .isOk());
    CHECK(device12->getType([](V1_0::ErrorStatus, V1_2::DeviceType type) {
                      CHECK(print(type) == "ACCELERATOR");
                  })
                  .isOk());
    auto files = [](V1_0::ErrorStatus, uint32_t numModelCache, uint32_t numDataCache) {
        CHECK(numModelCache + numDataCache <=
              static_cast<uint32_t>(Constant::MAX_NUMBER_OF_CACHE_FILES));
    };
    CHECK(device12->getNumberOfCacheFilesNeeded(files).isOk());
}

TEST_SUITE_END();

}  // namespace

}  // namespace android::hardware::neuralnetworks::V1_3::compatibility
