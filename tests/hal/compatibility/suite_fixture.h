// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/allocator/1.0/IAllocator.h>
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "tests/hal/compatibility/callbacks.h"
#include "tests/hal/compatibility/sample_driver.h"

// The common set-up of the cases in the style of the HAL's own suites.
namespace android::hardware::neuralnetworks::V1_3::compatibility {

using ::compatibility::Driver;
using hidl::allocator::V1_0::IAllocator;
using V1_0::DataLocation;
using V1_0::RequestArgument;
using V1_1::ExecutionPreference;
using V1_2::Constant;
using V1_2::MeasureTiming;
using V1_2::OutputShape;
using V1_2::Timing;
using HidlToken = hidl_array<uint8_t, static_cast<uint32_t>(Constant::BYTE_SIZE_OF_CACHE_TOKEN)>;

inline hidl_memory allocateShared(uint64_t size) {
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
inline Model createModel() {
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

inline Request createRequest() {
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

inline sp<IPreparedModel> prepare(const sp<IDevice>& device, const Model& model) {
    sp<PreparedModelCallback> callback = new PreparedModelCallback();
    Return<ErrorStatus> launchStatus = device->prepareModel_1_3(
            model, ExecutionPreference::FAST_SINGLE_ANSWER, Priority::MEDIUM, {},
            hidl_vec<hidl_handle>(), hidl_vec<hidl_handle>(), HidlToken(), callback);
    REQUIRE(launchStatus.isOk());
    REQUIRE(static_cast<ErrorStatus>(launchStatus) == ErrorStatus::NONE);
    REQUIRE(ErrorStatus::NONE == callback->getStatus());
    return asPreparedModel_1_3(callback->getPreparedModel());
}

/// The device, model and request of the cases.
struct Fixture {
    sp<IDevice> kDevice = new Driver("npu-sample");
    Model model = createModel();
    sp<IPreparedModel> preparedModel = prepare(kDevice, model);
    Request request = createRequest();
};

}  // namespace android::hardware::neuralnetworks::V1_3::compatibility
