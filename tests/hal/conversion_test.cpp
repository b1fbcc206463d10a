// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <vnpu/hal/conversion.h>
#include <vnpu/hal/shared_memory.h>

#include <cfloat>
#include <vector>

namespace {

using android::hardware::hidl_memory;
using android::hardware::hidl_vec;
using vnpu::hal::convertTo;
using vnpu::hal::Handles;
namespace V1_0 = android::hardware::neuralnetworks::V1_0;
namespace V1_1 = android::hardware::neuralnetworks::V1_1;
namespace V1_2 = android::hardware::neuralnetworks::V1_2;
namespace V1_3 = android::hardware::neuralnetworks::V1_3;

V1_0::PerformanceInfo perf(float time) {
    return {.execTime = time, .powerUsage = time / 2};
}

template <typename Entry>
V1_0::PerformanceInfo entryOf(const hidl_vec<Entry>& entries, V1_3::OperandType type) {
    for (const Entry& entry : entries) {
        if (static_cast<V1_3::OperandType>(entry.type) == type) {
            return entry.info;
        }
    }
    FAIL("no entry");
    return {};
}

/// ADD with all fields of 1.2 set.
V1_2::Model sampleModel() {
    V1_2::Operand tensor{.type = V1_2::OperandType::TENSOR_QUANT8_ASYMM,
                         .dimensions = {2, 3},
                         .numberOfConsumers = 1,
                         .scale = 0.5F,
                         .zeroPoint = 7,
                         .lifetime = V1_0::OperandLifeTime::MODEL_INPUT,
                         .location = {.poolIndex = 1, .offset = 2, .length = 3}};
    return {.operands = {tensor},
            .operations = {{.type = V1_2::OperationType::ADD, .inputs = {0, 1}, .outputs = {2}}},
            .inputIndexes = {0},
            .outputIndexes = {2},
            .operandValues = {1, 2, 3},
            .pools = {*vnpu::hal::createSharedMemory(16)},
            .relaxComputationFloat32toFloat16 = true,
            .extensionNameToPrefix = {{.name = "com.example", .prefix = 4}}};
}

TEST_SUITE_BEGIN("hal/conversion");

TEST_CASE("a model goes to a later version and back without loss") {
    const V1_2::Model model = sampleModel();
    const auto latest = convertTo<V1_3::Model>(model);
    REQUIRE(latest.main.operands.size() == 1);
    CHECK(latest.main.operands[0].type == V1_3::OperandType::TENSOR_QUANT8_ASYMM);
    CHECK(latest.main.operands[0].lifetime == V1_3::OperandLifeTime::SUBGRAPH_INPUT);
    CHECK(latest.main.operands[0].zeroPoint == 7);
    CHECK(latest.relaxComputationFloat32toFloat16);
    const auto back = convertTo<V1_2::Model>(latest);
    CHECK(back.operands == model.operands);
    CHECK(back.operations == model.operations);
    CHECK(back.outputIndexes == model.outputIndexes);
    CHECK(back.operandValues == model.operandValues);
    CHECK(back.extensionNameToPrefix == model.extensionNameToPrefix);
    CHECK(back.relaxComputationFloat32toFloat16);
}

TEST_CASE("an earlier version keeps what it can express") {
    const auto model = convertTo<V1_0::Model>(sampleModel());
    CHECK(model.operands[0].location.length == 3);
    CHECK(model.operations[0].type == V1_0::OperationType::ADD);
    CHECK(model.pools[0].size() == 16);
    CHECK(convertTo<V1_1::Model>(sampleModel()).relaxComputationFloat32toFloat16);
    CHECK_FALSE(convertTo<V1_1::Model>(model).relaxComputationFloat32toFloat16);
}

TEST_CASE("handles of pools are duplicated or borrowed") {
    const V1_2::Model model = sampleModel();
    const native_handle_t* handle = model.pools[0].handle();
    const auto borrowed = convertTo<V1_3::Model>(model, Handles::kBorrow);
    CHECK(borrowed.pools[0].handle() == handle);
    const auto duplicate = convertTo<V1_3::Model>(model);
    CHECK(duplicate.pools[0].handle() != handle);
    CHECK(duplicate.pools[0].handle()->data[0] != handle->data[0]);
    CHECK(convertTo<V1_3::Model>(borrowed, Handles::kBorrow).pools[0].handle() == handle);
}

TEST_CASE("requests change the form of their pools") {
    const V1_0::Request request{.inputs = {{.hasNoValue = true}},
                                .outputs = {{.dimensions = {4}}},
                                .pools = {hidl_memory("ashmem", nullptr, 8)}};
    auto latest = convertTo<V1_3::Request>(request);
    CHECK(latest.pools[0].hidlMemory().size() == 8);
    CHECK(latest.inputs == request.inputs);
    latest.pools.resize(2);
    latest.pools[1].token(3);
    CHECK(convertTo<V1_3::Request>(latest, Handles::kBorrow).pools[1].token() == 3);
    const auto back = convertTo<V1_0::Request>(latest);
    CHECK(back.outputs == request.outputs);
    CHECK(back.pools[0].name() == "ashmem");
    CHECK_FALSE(back.pools[1].valid());
}

TEST_CASE("capabilities of the first versions stand for the types that these had") {
    const auto latest = convertTo<V1_3::Capabilities>(
            V1_1::Capabilities{.float32Performance = perf(1),
                               .quantized8Performance = perf(2),
                               .relaxedFloat32toFloat16Performance = perf(3)});
    CHECK(latest.relaxedFloat32toFloat16PerformanceScalar == perf(3));
    CHECK(latest.operandPerformance.size() == 17);
    CHECK(entryOf(latest.operandPerformance, V1_3::OperandType::FLOAT32) == perf(1));
    CHECK(entryOf(latest.operandPerformance, V1_3::OperandType::TENSOR_QUANT8_ASYMM) == perf(2));
    CHECK(entryOf(latest.operandPerformance, V1_3::OperandType::TENSOR_INT32) == perf(2));
    CHECK(entryOf(latest.operandPerformance, V1_3::OperandType::TENSOR_FLOAT16).execTime ==
          FLT_MAX);
    CHECK(latest.ifPerformance.execTime == FLT_MAX);
    CHECK(convertTo<V1_3::Capabilities>(V1_0::Capabilities{perf(1), perf(2)})
                  .relaxedFloat32toFloat16PerformanceTensor == perf(1));
}

TEST_CASE("capabilities of 1.3 shrink to those of earlier versions") {
    V1_3::Capabilities latest;
    latest.relaxedFloat32toFloat16PerformanceTensor = perf(5);
    latest.operandPerformance = {
            {V1_3::OperandType::TENSOR_FLOAT32, perf(1)},
            {V1_3::OperandType::TENSOR_QUANT8_ASYMM, perf(2)},
            {V1_3::OperandType::TENSOR_QUANT8_ASYMM_SIGNED, perf(4)},
    };
    CHECK(convertTo<V1_0::Capabilities>(latest) == V1_0::Capabilities{perf(1), perf(2)});
    CHECK(convertTo<V1_1::Capabilities>(latest) == V1_1::Capabilities{perf(1), perf(2), perf(5)});
    const auto later = convertTo<V1_2::Capabilities>(latest);
    CHECK(later.operandPerformance.size() == 16);
    CHECK(entryOf(later.operandPerformance, V1_3::OperandType::TENSOR_QUANT8_ASYMM) == perf(2));
}

TEST_CASE("operands, lifetimes and statuses keep their numbers") {
    const V1_0::Operand operand{.type = V1_0::OperandType::INT32, .numberOfConsumers = 2};
    CHECK(convertTo<V1_2::Operand>(operand).numberOfConsumers == 2);
    CHECK(convertTo<V1_0::Operand>(convertTo<V1_3::Operand>(operand)) == operand);
    CHECK(convertTo<V1_3::OperandLifeTime>(V1_0::OperandLifeTime::NO_VALUE) ==
          V1_3::OperandLifeTime::NO_VALUE);
    CHECK(convertTo<V1_0::OperandLifeTime>(V1_3::OperandLifeTime::SUBGRAPH_OUTPUT) ==
          V1_0::OperandLifeTime::MODEL_OUTPUT);
    CHECK(convertTo<V1_3::ErrorStatus>(V1_0::ErrorStatus::INVALID_ARGUMENT) ==
          V1_3::ErrorStatus::INVALID_ARGUMENT);
    CHECK(convertTo<V1_0::ErrorStatus>(V1_3::ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT) ==
          V1_0::ErrorStatus::GENERAL_FAILURE);
}

TEST_SUITE_END();

}  // namespace
