// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <hidl/HidlSupport.h>
#include <vnpu/hal/hidl/declare.h>

#include <cstdint>

namespace android::hardware::neuralnetworks::V1_1 {

VNPU_HIDL_OPERATORS

#define VNPU_HAL_VERSION 11

enum class OperationType : int32_t {
#define VNPU_ENUMERATOR(name, value) name = (value),
#include <vnpu/hal/nn/operation_type.def>
};

constexpr auto enumeratorsOf(OperationType) {
    using E = OperationType;
    return details::enumerators<E>({
#define VNPU_ENUMERATOR(name, value) {E::name, #name},
#include <vnpu/hal/nn/operation_type.def>
    });
}

enum class ExecutionPreference : int32_t {
    LOW_POWER = 0,
    FAST_SINGLE_ANSWER = 1,
    SUSTAINED_SPEED = 2,
};

constexpr auto enumeratorsOf(ExecutionPreference) {
    using E = ExecutionPreference;
    return details::enumerators<E>({{E::LOW_POWER, "LOW_POWER"},
                                    {E::FAST_SINGLE_ANSWER, "FAST_SINGLE_ANSWER"},
                                    {E::SUSTAINED_SPEED, "SUSTAINED_SPEED"}});
}

struct Capabilities {
    V1_0::PerformanceInfo float32Performance{};
    V1_0::PerformanceInfo quantized8Performance{};
    V1_0::PerformanceInfo relaxedFloat32toFloat16Performance{};
};
static_assert(sizeof(Capabilities) == 24);
VNPU_HIDL_FIELDS(Capabilities, float32Performance, quantized8Performance,
                 relaxedFloat32toFloat16Performance)

struct Operation {
    OperationType type{};
    hidl_vec<uint32_t> inputs{};   ///< indexes of operands
    hidl_vec<uint32_t> outputs{};  ///< indexes of operands
};
static_assert(sizeof(Operation) == 40);
VNPU_HIDL_FIELDS(Operation, type, inputs, outputs)

struct Model {
    hidl_vec<V1_0::Operand> operands{};
    hidl_vec<Operation> operations{};
    hidl_vec<uint32_t> inputIndexes{};
    hidl_vec<uint32_t> outputIndexes{};
    hidl_vec<uint8_t> operandValues{};
    hidl_vec<hidl_memory> pools{};
    bool relaxComputationFloat32toFloat16 = false;
};
static_assert(sizeof(Model) == 104);
VNPU_HIDL_FIELDS(Model, operands, operations, inputIndexes, outputIndexes, operandValues, pools,
                 relaxComputationFloat32toFloat16)

#undef VNPU_HAL_VERSION

}  // namespace android::hardware::neuralnetworks::V1_1
