// SPDX-License-Identifier: Apache-2.0
// Code of a client, in the style of the HAL's own test suites: in a namespace inside of the HAL's,
// with designated initialisers, `{}` for whatever has a default, and the standard algorithms.
#include <android/hidl/allocator/1.0/IAllocator.h>
#include <android/hidl/memory/1.0/IMemory.h>
#include <android/sync.h>
#include <doctest/doctest.h>
#include <hidl/ServiceManagement.h>
#include <hidlmemory/mapping.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/hal/compatibility/callbacks.h"
#include "tests/hal/compatibility/gtest_like.h"
#include "tests/hal/compatibility/sample_driver.h"

namespace android::hardware::neuralnetworks::V1_3 {

// What a suite prints of a type goes before what the HAL's headers print.
inline ::std::ostream& operator<<(::std::ostream& os, Priority priority) {
    return os << "priority " << static_cast<int>(priority);
}

}  // namespace android::hardware::neuralnetworks::V1_3

namespace android::hardware::neuralnetworks::V1_3::compatibility {

using ::compatibility::Driver;
using gtest_like::isDifferent;
using gtest_like::isEqual;
using gtest_like::print;
using hidl::allocator::V1_0::IAllocator;
using hidl::memory::V1_0::IMemory;
using V1_0::DataLocation;
using V1_0::RequestArgument;
using V1_1::ExecutionPreference;
using V1_2::Constant;
using V1_2::MeasureTiming;
using V1_2::OutputShape;
using V1_2::SymmPerChannelQuantParams;
using V1_2::Timing;
using HidlToken = hidl_array<uint8_t, static_cast<uint32_t>(Constant::BYTE_SIZE_OF_CACHE_TOKEN)>;

namespace {

const std::vector<std::string> kInstancesBeforeMain = getAllHalInstanceNames(IDevice::descriptor);

template <typename Type>
uint32_t pushBack(hidl_vec<Type>* list, const Type& value) {
    const uint32_t index = static_cast<uint32_t>(list->size());
    list->resize(index + 1);
    (*list)[index] = value;
    return index;
}

/// Takes an element out and closes the gap.
template <typename Type>
void removeAt(hidl_vec<Type>* list, uint32_t index) {
    std::rotate(list->begin() + index, list->begin() + index + 1, list->end());
    list->resize(list->size() - 1);
}

hidl_memory allocateShared(uint64_t size) {
    hidl_memory memory;
    const sp<IAllocator> allocator = IAllocator::getService("ashmem");
    const Return<void> allocated =
            allocator->allocate(size, [&](bool success, const hidl_memory& given) {
                if (success) {
                    memory = given;
                }
            });
    return allocated.isOk() ? memory : hidl_memory();
}

/// ADD of two tensors of four floats.
Model createModel() {
    const auto tensor = [](OperandLifeTime lifetime, uint32_t consumers) -> Operand {
        return {.type = OperandType::TENSOR_FLOAT32,
                .dimensions = {2, 2},
                .numberOfConsumers = consumers,
                .scale = 0.0F,
                .zeroPoint = 0,
                .lifetime = lifetime,
                .location = {},
                .extraParams = {}};
    };
    std::vector<Operand> operands = {tensor(OperandLifeTime::SUBGRAPH_INPUT, 1),
                                     tensor(OperandLifeTime::SUBGRAPH_INPUT, 1),
                                     {
                                             .type = OperandType::INT32,
                                             .dimensions = {},
                                             .numberOfConsumers = 1,
                                             .lifetime = OperandLifeTime::CONSTANT_COPY,
                                             .location = {.poolIndex = 0, .offset = 0, .length = 4},
                                     },
                                     tensor(OperandLifeTime::SUBGRAPH_OUTPUT, 0)};
    hidl_vec<Operation> operations(1);
    const std::vector<uint32_t> inputs = {0, 1, 2};
    operations[0] = {.type = OperationType::ADD, .inputs = inputs, .outputs = {3}};
    hidl_vec<hidl_memory> pools = {};
    return {.main = {.operands = std::move(operands),
                     .operations = std::move(operations),
                     .inputIndexes = std::vector<uint32_t>{0, 1},
                     .outputIndexes = {3}},
            .referenced = {},
            .operandValues = hidl_vec<uint8_t>(4),
            .pools = std::move(pools),
            .relaxComputationFloat32toFloat16 = false};
}

Request createRequest() {
    hidl_vec<RequestArgument> inputs(2);
    inputs[0] = {.hasNoValue = true};
    DataLocation loc = {.poolIndex = 0, .offset = 16, .length = 16};
    inputs[1] = {.hasNoValue = false, .location = loc, .dimensions = {}};
    hidl_vec<Request::MemoryPool> pools(2);
    pools[0].hidlMemory(allocateShared(64));
    pools[1].token(7);
    Request request = {.inputs = std::move(inputs),
                       .outputs = {{.hasNoValue = false, .location = {.poolIndex = 1}}},
                       .pools = std::move(pools)};
    return request;
}

sp<IPreparedModel> prepare(const sp<IDevice>& device, const Model& model) {
    sp<PreparedModelCallback> callback = new PreparedModelCallback();
    Return<ErrorStatus> launchStatus = device->prepareModel_1_3(
            model, ExecutionPreference::FAST_SINGLE_ANSWER, Priority::MEDIUM, {},
            hidl_vec<hidl_handle>(), hidl_vec<hidl_handle>(), HidlToken(), callback);
    REQUIRE(launchStatus.isOk());
    REQUIRE(static_cast<ErrorStatus>(launchStatus) == ErrorStatus::NONE);
    REQUIRE(ErrorStatus::NONE == callback->getStatus());
    return asPreparedModel_1_3(callback->getPreparedModel());
}

/// Device, model and request of the cases below.
struct Fixture {
    sp<IDevice> kDevice = new Driver("npu-sample");
    Model model = createModel();
    sp<IPreparedModel> preparedModel = prepare(kDevice, model);
    Request request = createRequest();
};

TEST_SUITE_BEGIN("hal/compatibility");

TEST_CASE(VNPU_LANGUAGE ": instances are asked for before main") {
    CHECK(std::count(kInstancesBeforeMain.begin(), kInstancesBeforeMain.end(), "nobody") == 0);
}

TEST_CASE(VNPU_LANGUAGE ": results of calls meet assertions") {
    Fixture f;
    const bool deviceIsResponsive = f.kDevice->ping().isOk();
    CHECK(deviceIsResponsive);
    Return<V1_0::DeviceStatus> status = f.kDevice->getStatus();
    CHECK(status.isOk());
    CHECK(isEqual(V1_0::DeviceStatus::AVAILABLE, static_cast<V1_0::DeviceStatus>(status)));
    CHECK(isDifferent(status, V1_0::DeviceStatus::BUSY));
    CHECK(status != V1_0::DeviceStatus::OFFLINE);
    CHECK(isEqual(f.preparedModel->isRemote(), false));
    CHECK(isDifferent(f.preparedModel.get(), nullptr));
    const Return<bool> linked = f.kDevice->linkToDeath(nullptr, 0);
    CHECK((linked.isOk() && linked != true));
}

TEST_CASE(VNPU_LANGUAGE ": capabilities are sorted, and print") {
    Fixture f;
    const Return<void> ret = f.kDevice->getCapabilities_1_3(
            [](ErrorStatus status, const Capabilities& capabilities) {
                CHECK(isEqual(ErrorStatus::NONE, status));
                auto isPositive = [](const V1_0::PerformanceInfo& perf) {
                    return perf.execTime > 0.0F && perf.powerUsage > 0.0F;
                };
                const auto& opPerf = capabilities.operandPerformance;
                CHECK(std::all_of(opPerf.begin(), opPerf.end(),
                                  [isPositive](const Capabilities::OperandPerformance& a) {
                                      return isPositive(a.info);
                                  }));
                CHECK(std::is_sorted(
                        opPerf.begin(), opPerf.end(),
                        [](const Capabilities::OperandPerformance& a,
                           const Capabilities::OperandPerformance& b) { return a.type < b.type; }));
                CHECK(opPerf.size() == 17);
                CHECK(isPositive(capabilities.ifPerformance));
                CHECK(print(capabilities).size() > 100);
            });
    CHECK(ret.isOk());
}

TEST_CASE(VNPU_LANGUAGE ": models are changed by the standard algorithms") {
    Model model = createModel();
    auto& main = model.main;
    const uint32_t index =
            pushBack<Operand>(&main.operands, {
                                                      .type = OperandType::INT32,
                                                      .dimensions = {},
                                                      .numberOfConsumers = 0,
                                                      .lifetime = OperandLifeTime::SUBGRAPH_INPUT,
                                                      .location = {},
                                              });
    pushBack(&main.inputIndexes, index);
    CHECK(main.inputIndexes == hidl_vec<uint32_t>({0, 1, 4}));
    removeAt(&main.inputIndexes, 1);
    CHECK(main.inputIndexes == hidl_vec<uint32_t>({0, 4}));
    hidl_vec<uint32_t>& inputs = main.operations[0].inputs;
    inputs.resize(
            static_cast<size_t>(std::remove(inputs.begin(), inputs.end(), 1u) - inputs.begin()));
    CHECK(std::find(inputs.begin(), inputs.end(), 1u) == inputs.end());
    CHECK(std::accumulate(inputs.begin(), inputs.end(), 0u) == 2);
    main.operands[0].dimensions = std::vector<uint32_t>(1, 0);
    main.operands[1].dimensions = main.operands[1].dimensions.size() > 0
                                          ? main.operands[1].dimensions
                                          : hidl_vec<uint32_t>({1});
    auto& dims = main.operands[1].dimensions;
    std::fill(dims.begin(), dims.end(), 0);
    const std::vector<uint32_t> actual = dims;
    CHECK(actual == std::vector<uint32_t>{0, 0});
    CHECK(main.operands[0] != main.operands[1]);
    main.operands[0].type =
            static_cast<OperandType>(static_cast<uint32_t>(OperandTypeRange::FUNDAMENTAL_MAX) + 1);
    CHECK(toString(main.operands[0].type) == "0x10");
    for (int32_t type : {static_cast<int32_t>(OperationTypeRange::OEM_MIN) - 1}) {
        main.operations[0].type = static_cast<OperationType>(type);
    }
    CHECK(std::string("test_" + toString(OperandType::TENSOR_FLOAT16)) == "test_TENSOR_FLOAT16");
}

TEST_CASE(VNPU_LANGUAGE ": extra parameters are told apart by their discriminator") {
    using Discriminator = V1_2::Operand::ExtraParams::hidl_discriminator;
    const auto describe = [](const V1_2::Operand::ExtraParams& extraParams) -> std::string {
        switch (extraParams.getDiscriminator()) {
            case Discriminator::none:
                return "none";
            case Discriminator::channelQuant:
                return toString(extraParams.channelQuant().scales.size());
            case Discriminator::extension:
                return toString(extraParams.extension());
        }
        return "?";
    };
    const float scales[] = {1.0F, 2.0F};
    V1_2::Operand::ExtraParams extraParams;
    CHECK(describe(extraParams) == "none");
    extraParams.channelQuant(SymmPerChannelQuantParams{
            .scales = hidl_vec<float>(scales, scales + 2), .channelDim = 1});
    CHECK(describe(extraParams) == "2");
    V1_2::Operand::ExtraParams moved = std::move(extraParams);
    CHECK(moved.channelQuant().channelDim == 1);
    moved.extension({1, 2});
    CHECK(describe(moved) == "[2]{1, 2}");
    moved = {};
    CHECK(describe(moved) == "none");
}

TEST_CASE(VNPU_LANGUAGE ": enumerations are walked, in constants too") {
    static constexpr hidl_enum_range<OperandType> kOperandTypes;
    static_assert(*kOperandTypes.begin() == OperandType::FLOAT32, "declared first");
    std::map<OperandType, std::string> names;
    for (OperandType type : kOperandTypes) {
        names[type] = toString(type);
    }
    CHECK(names.size() == 18);
    for (auto priority : hidl_enum_range<Priority>{}) {
        CHECK(priority <= Priority::HIGH);
    }
    for (const auto& preference : hidl_enum_range<ExecutionPreference>()) {
        CHECK(print(preference) == toString(preference));
    }
}

TEST_CASE(VNPU_LANGUAGE ": values are printed by the suite, the HAL or the framework") {
    CHECK(print(Priority::LOW) == "priority 0");
    CHECK(print(ErrorStatus::INVALID_ARGUMENT) == "INVALID_ARGUMENT");
    CHECK(print(Timing{1, 2}) == "{.timeOnDevice = 1, .timeInDriver = 2}");
    CHECK(print(Return<ErrorStatus>(ErrorStatus::NONE)).find(" bytes") != std::string::npos);
    CHECK(print(hidl_string("npu")) == "npu");
}

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
