// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlSupport.h>

#include <cstddef>
#include <cstdint>

namespace android::hardware::neuralnetworks::V1_0 {

using ::android::hardware::PrintTo;
using ::android::hardware::toString;
using ::android::hardware::operator<<;
using ::android::hardware::operator==;
using ::android::hardware::operator!=;
using ::android::hardware::operator|;
using ::android::hardware::operator&;
using ::android::hardware::operator|=;
using ::android::hardware::operator&=;

enum class OperandType : int32_t {
    FLOAT32 = 0,
    INT32 = 1,
    UINT32 = 2,
    TENSOR_FLOAT32 = 3,
    TENSOR_INT32 = 4,
    TENSOR_QUANT8_ASYMM = 5,
    OEM = 10000,
    TENSOR_OEM_BYTE = 10001,
};

constexpr auto enumeratorsOf(OperandType) {
    using E = OperandType;
    return details::enumerators<E>({{E::FLOAT32, "FLOAT32"},
                                    {E::INT32, "INT32"},
                                    {E::UINT32, "UINT32"},
                                    {E::TENSOR_FLOAT32, "TENSOR_FLOAT32"},
                                    {E::TENSOR_INT32, "TENSOR_INT32"},
                                    {E::TENSOR_QUANT8_ASYMM, "TENSOR_QUANT8_ASYMM"},
                                    {E::OEM, "OEM"},
                                    {E::TENSOR_OEM_BYTE, "TENSOR_OEM_BYTE"}});
}

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
};

constexpr auto enumeratorsOf(OperationType) {
    using E = OperationType;
    return details::enumerators<E>(
            {{E::ADD, "ADD"},
             {E::AVERAGE_POOL_2D, "AVERAGE_POOL_2D"},
             {E::CONCATENATION, "CONCATENATION"},
             {E::CONV_2D, "CONV_2D"},
             {E::DEPTHWISE_CONV_2D, "DEPTHWISE_CONV_2D"},
             {E::DEPTH_TO_SPACE, "DEPTH_TO_SPACE"},
             {E::DEQUANTIZE, "DEQUANTIZE"},
             {E::EMBEDDING_LOOKUP, "EMBEDDING_LOOKUP"},
             {E::FLOOR, "FLOOR"},
             {E::FULLY_CONNECTED, "FULLY_CONNECTED"},
             {E::HASHTABLE_LOOKUP, "HASHTABLE_LOOKUP"},
             {E::L2_NORMALIZATION, "L2_NORMALIZATION"},
             {E::L2_POOL_2D, "L2_POOL_2D"},
             {E::LOCAL_RESPONSE_NORMALIZATION, "LOCAL_RESPONSE_NORMALIZATION"},
             {E::LOGISTIC, "LOGISTIC"},
             {E::LSH_PROJECTION, "LSH_PROJECTION"},
             {E::LSTM, "LSTM"},
             {E::MAX_POOL_2D, "MAX_POOL_2D"},
             {E::MUL, "MUL"},
             {E::RELU, "RELU"},
             {E::RELU1, "RELU1"},
             {E::RELU6, "RELU6"},
             {E::RESHAPE, "RESHAPE"},
             {E::RESIZE_BILINEAR, "RESIZE_BILINEAR"},
             {E::RNN, "RNN"},
             {E::SOFTMAX, "SOFTMAX"},
             {E::SPACE_TO_DEPTH, "SPACE_TO_DEPTH"},
             {E::SVDF, "SVDF"},
             {E::TANH, "TANH"},
             {E::OEM_OPERATION, "OEM_OPERATION"}});
}

enum class FusedActivationFunc : int32_t { NONE = 0, RELU = 1, RELU1 = 2, RELU6 = 3 };

constexpr auto enumeratorsOf(FusedActivationFunc) {
    using E = FusedActivationFunc;
    return details::enumerators<E>(
            {{E::NONE, "NONE"}, {E::RELU, "RELU"}, {E::RELU1, "RELU1"}, {E::RELU6, "RELU6"}});
}

/// Where an operand's value comes from; the operands of 1.0 to 1.2 have it.
enum class OperandLifeTime : int32_t {
    TEMPORARY_VARIABLE = 0,
    MODEL_INPUT = 1,
    MODEL_OUTPUT = 2,
    CONSTANT_COPY = 3,       ///< in Model::operandValues
    CONSTANT_REFERENCE = 4,  ///< in one of Model::pools
    NO_VALUE = 5,            ///< an optional argument left out
};

constexpr auto enumeratorsOf(OperandLifeTime) {
    using E = OperandLifeTime;
    return details::enumerators<E>({{E::TEMPORARY_VARIABLE, "TEMPORARY_VARIABLE"},
                                    {E::MODEL_INPUT, "MODEL_INPUT"},
                                    {E::MODEL_OUTPUT, "MODEL_OUTPUT"},
                                    {E::CONSTANT_COPY, "CONSTANT_COPY"},
                                    {E::CONSTANT_REFERENCE, "CONSTANT_REFERENCE"},
                                    {E::NO_VALUE, "NO_VALUE"}});
}

enum class DeviceStatus : int32_t { AVAILABLE = 0, BUSY = 1, OFFLINE = 2, UNKNOWN = 3 };

constexpr auto enumeratorsOf(DeviceStatus) {
    using E = DeviceStatus;
    return details::enumerators<E>({{E::AVAILABLE, "AVAILABLE"},
                                    {E::BUSY, "BUSY"},
                                    {E::OFFLINE, "OFFLINE"},
                                    {E::UNKNOWN, "UNKNOWN"}});
}

enum class ErrorStatus : int32_t {
    NONE = 0,
    DEVICE_UNAVAILABLE = 1,
    GENERAL_FAILURE = 2,
    OUTPUT_INSUFFICIENT_SIZE = 3,
    INVALID_ARGUMENT = 4,
};

constexpr auto enumeratorsOf(ErrorStatus) {
    using E = ErrorStatus;
    return details::enumerators<E>({{E::NONE, "NONE"},
                                    {E::DEVICE_UNAVAILABLE, "DEVICE_UNAVAILABLE"},
                                    {E::GENERAL_FAILURE, "GENERAL_FAILURE"},
                                    {E::OUTPUT_INSUFFICIENT_SIZE, "OUTPUT_INSUFFICIENT_SIZE"},
                                    {E::INVALID_ARGUMENT, "INVALID_ARGUMENT"}});
}

/// Time and energy relative to the CPU: below 1 is better than it.
struct PerformanceInfo {
    float execTime = 0;
    float powerUsage = 0;
};
static_assert(sizeof(PerformanceInfo) == 8);

struct Capabilities {
    PerformanceInfo float32Performance{};
    PerformanceInfo quantized8Performance{};
};
static_assert(sizeof(Capabilities) == 16);

struct DataLocation {
    uint32_t poolIndex = 0;
    uint32_t offset = 0;  ///< bytes
    uint32_t length = 0;  ///< bytes
};
static_assert(sizeof(DataLocation) == 12);

struct Operand {
    OperandType type{};
    hidl_vec<uint32_t> dimensions{};  ///< 0 stands for an unknown extent
    uint32_t numberOfConsumers = 0;
    float scale = 0;
    int32_t zeroPoint = 0;
    OperandLifeTime lifetime{};
    DataLocation location{};
};
static_assert(sizeof(Operand) == 56);

struct Operation {
    OperationType type{};
    hidl_vec<uint32_t> inputs{};   ///< indexes of operands
    hidl_vec<uint32_t> outputs{};  ///< indexes of operands
};
static_assert(sizeof(Operation) == 40);

struct Model {
    hidl_vec<Operand> operands{};
    hidl_vec<Operation> operations{};
    hidl_vec<uint32_t> inputIndexes{};
    hidl_vec<uint32_t> outputIndexes{};
    hidl_vec<uint8_t> operandValues{};
    hidl_vec<hidl_memory> pools{};
};
static_assert(sizeof(Model) == 96);

struct RequestArgument {
    bool hasNoValue = false;
    DataLocation location{};
    hidl_vec<uint32_t> dimensions{};  ///< empty: as in the model
};
static_assert(sizeof(RequestArgument) == 32);

struct Request {
    hidl_vec<RequestArgument> inputs{};
    hidl_vec<RequestArgument> outputs{};
    hidl_vec<hidl_memory> pools{};
};
static_assert(sizeof(Request) == 48);

inline auto fieldsOf(const PerformanceInfo& v) {
    return details::fields({"execTime", "powerUsage"}, v.execTime, v.powerUsage);
}
inline auto fieldsOf(const Capabilities& v) {
    return details::fields({"float32Performance", "quantized8Performance"}, v.float32Performance,
                           v.quantized8Performance);
}
inline auto fieldsOf(const DataLocation& v) {
    return details::fields({"poolIndex", "offset", "length"}, v.poolIndex, v.offset, v.length);
}
inline auto fieldsOf(const Operand& v) {
    return details::fields({"type", "dimensions", "numberOfConsumers", "scale", "zeroPoint",
                            "lifetime", "location"},
                           v.type, v.dimensions, v.numberOfConsumers, v.scale, v.zeroPoint,
                           v.lifetime, v.location);
}
inline auto fieldsOf(const Operation& v) {
    return details::fields({"type", "inputs", "outputs"}, v.type, v.inputs, v.outputs);
}
inline auto fieldsOf(const Model& v) {
    return details::fields(
            {"operands", "operations", "inputIndexes", "outputIndexes", "operandValues", "pools"},
            v.operands, v.operations, v.inputIndexes, v.outputIndexes, v.operandValues, v.pools);
}
inline auto fieldsOf(const RequestArgument& v) {
    return details::fields({"hasNoValue", "location", "dimensions"}, v.hasNoValue, v.location,
                           v.dimensions);
}
inline auto fieldsOf(const Request& v) {
    return details::fields({"inputs", "outputs", "pools"}, v.inputs, v.outputs, v.pools);
}

}  // namespace android::hardware::neuralnetworks::V1_0
