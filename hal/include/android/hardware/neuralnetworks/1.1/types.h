// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <hidl/HidlSupport.h>

#include <cstdint>

namespace android::hardware::neuralnetworks::V1_1 {

using ::android::hardware::PrintTo;
using ::android::hardware::toString;
using ::android::hardware::operator<<;
using ::android::hardware::operator==;
using ::android::hardware::operator!=;
using ::android::hardware::operator|;
using ::android::hardware::operator&;
using ::android::hardware::operator|=;
using ::android::hardware::operator&=;

enum class OperationType : int32_t {
    ADD = 0,
    AVERAGE_POOL_2D = 1,
    CONCATENATION = 2,
    CONV_2D = 3,
    DEPTHWISE_CONV_2D = 4,
    DEPTH_TO_SPACE = 5,
    DEQUANTIZE = 6,
    EMBEDDING_LOOKUP = 7,
    FLOOR = 8,
    FULLY_CONNECTED = 9,
    HASHTABLE_LOOKUP = 10,
    L2_NORMALIZATION = 11,
    L2_POOL_2D = 12,
    LOCAL_RESPONSE_NORMALIZATION = 13,
    LOGISTIC = 14,
    LSH_PROJECTION = 15,
    LSTM = 16,
    MAX_POOL_2D = 17,
    MUL = 18,
    RELU = 19,
    RELU1 = 20,
    RELU6 = 21,
    RESHAPE = 22,
    RESIZE_BILINEAR = 23,
    RNN = 24,
    SOFTMAX = 25,
    SPACE_TO_DEPTH = 26,
    SVDF = 27,
    TANH = 28,
    OEM_OPERATION = 10000,
    BATCH_TO_SPACE_ND = 29,
    DIV = 30,
    MEAN = 31,
    PAD = 32,
    SPACE_TO_BATCH_ND = 33,
    SQUEEZE = 34,
    STRIDED_SLICE = 35,
    SUB = 36,
    TRANSPOSE = 37,
};

constexpr auto enumeratorsOf(OperationType) {
    using E = OperationType;
    return details::enumerators<E>(enumeratorsOf(V1_0::OperationType()),
                                   {{E::BATCH_TO_SPACE_ND, "BATCH_TO_SPACE_ND"},
                                    {E::DIV, "DIV"},
                                    {E::MEAN, "MEAN"},
                                    {E::PAD, "PAD"},
                                    {E::SPACE_TO_BATCH_ND, "SPACE_TO_BATCH_ND"},
                                    {E::SQUEEZE, "SQUEEZE"},
                                    {E::STRIDED_SLICE, "STRIDED_SLICE"},
                                    {E::SUB, "SUB"},
                                    {E::TRANSPOSE, "TRANSPOSE"}});
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

struct Operation {
    OperationType type{};
    hidl_vec<uint32_t> inputs{};   ///< indexes of operands
    hidl_vec<uint32_t> outputs{};  ///< indexes of operands
};
static_assert(sizeof(Operation) == 40);

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

inline auto fieldsOf(const Capabilities& v) {
    return details::fields(
            {"float32Performance", "quantized8Performance", "relaxedFloat32toFloat16Performance"},
            v.float32Performance, v.quantized8Performance, v.relaxedFloat32toFloat16Performance);
}
inline auto fieldsOf(const Operation& v) {
    return details::fields({"type", "inputs", "outputs"}, v.type, v.inputs, v.outputs);
}
inline auto fieldsOf(const Model& v) {
    return details::fields({"operands", "operations", "inputIndexes", "outputIndexes",
                            "operandValues", "pools", "relaxComputationFloat32toFloat16"},
                           v.operands, v.operations, v.inputIndexes, v.outputIndexes,
                           v.operandValues, v.pools, v.relaxComputationFloat32toFloat16);
}

}  // namespace android::hardware::neuralnetworks::V1_1
