// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlSupport.h>
#include <vnpu/hal/hidl/declare.h>

#include <cstddef>
#include <cstdint>

namespace android::hardware::neuralnetworks::V1_0 {

VNPU_HIDL_OPERATORS

#define VNPU_HAL_VERSION 10

enum class OperandType : int32_t {
#define VNPU_ENUMERATOR(name, value) name = (value),
#include <vnpu/hal/nn/operand_type.def>
};

constexpr auto enumeratorsOf(OperandType) {
    using E = OperandType;
    return details::enumerators<E>({
#define VNPU_ENUMERATOR(name, value) {E::name, #name},
#include <vnpu/hal/nn/operand_type.def>
    });
}

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
VNPU_HIDL_FIELDS(PerformanceInfo, execTime, powerUsage)

struct Capabilities {
    PerformanceInfo float32Performance{};
    PerformanceInfo quantized8Performance{};
};
static_assert(sizeof(Capabilities) == 16);
VNPU_HIDL_FIELDS(Capabilities, float32Performance, quantized8Performance)

struct DataLocation {
    uint32_t poolIndex = 0;
    uint32_t offset = 0;  ///< bytes
    uint32_t length = 0;  ///< bytes
};
static_assert(sizeof(DataLocation) == 12);
VNPU_HIDL_FIELDS(DataLocation, poolIndex, offset, length)

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
VNPU_HIDL_FIELDS(Operand, type, dimensions, numberOfConsumers, scale, zeroPoint, lifetime, location)

struct Operation {
    OperationType type{};
    hidl_vec<uint32_t> inputs{};   ///< indexes of operands
    hidl_vec<uint32_t> outputs{};  ///< indexes of operands
};
static_assert(sizeof(Operation) == 40);
VNPU_HIDL_FIELDS(Operation, type, inputs, outputs)

struct Model {
    hidl_vec<Operand> operands{};
    hidl_vec<Operation> operations{};
    hidl_vec<uint32_t> inputIndexes{};
    hidl_vec<uint32_t> outputIndexes{};
    hidl_vec<uint8_t> operandValues{};
    hidl_vec<hidl_memory> pools{};
};
static_assert(sizeof(Model) == 96);
VNPU_HIDL_FIELDS(Model, operands, operations, inputIndexes, outputIndexes, operandValues, pools)

struct RequestArgument {
    bool hasNoValue = false;
    DataLocation location{};
    hidl_vec<uint32_t> dimensions{};  ///< empty: as in the model
};
static_assert(sizeof(RequestArgument) == 32);
VNPU_HIDL_FIELDS(RequestArgument, hasNoValue, location, dimensions)

struct Request {
    hidl_vec<RequestArgument> inputs{};
    hidl_vec<RequestArgument> outputs{};
    hidl_vec<hidl_memory> pools{};
};
static_assert(sizeof(Request) == 48);
VNPU_HIDL_FIELDS(Request, inputs, outputs, pools)

#undef VNPU_HAL_VERSION

}  // namespace android::hardware::neuralnetworks::V1_0
