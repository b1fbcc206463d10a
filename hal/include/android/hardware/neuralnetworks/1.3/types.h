// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hidl/safe_union/1.0/types.h>
#include <hidl/HidlSupport.h>
#include <vnpu/hal/hidl/declare.h>

#include <cstdint>
#include <utility>

namespace android::hardware::neuralnetworks::V1_3 {

VNPU_HIDL_OPERATORS

#define VNPU_HAL_VERSION 13

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

enum class OperandTypeRange : uint32_t {
    BASE_MIN = 0,
    FUNDAMENTAL_MIN = 0,
    FUNDAMENTAL_MAX = 15,
    OEM_MIN = 10000,
    OEM_MAX = 10001,
    BASE_MAX = 0xFFFF,
};

constexpr auto enumeratorsOf(OperandTypeRange) {
    return details::rangeEnumerators<OperandTypeRange>();
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

enum class OperationTypeRange : uint32_t {
    BASE_MIN = 0,
    FUNDAMENTAL_MIN = 0,
    FUNDAMENTAL_MAX = 101,
    OEM_MIN = 10000,
    OEM_MAX = 10000,
    BASE_MAX = 0xFFFF,
};

constexpr auto enumeratorsOf(OperationTypeRange) {
    return details::rangeEnumerators<OperationTypeRange>();
}

enum class Priority : int32_t { LOW = 0, MEDIUM = 1, HIGH = 2 };

constexpr auto enumeratorsOf(Priority) {
    using E = Priority;
    return details::enumerators<E>({{E::LOW, "LOW"}, {E::MEDIUM, "MEDIUM"}, {E::HIGH, "HIGH"}});
}

/// Where an operand's value comes from.
enum class OperandLifeTime : int32_t {
    TEMPORARY_VARIABLE = 0,
    SUBGRAPH_INPUT = 1,
    SUBGRAPH_OUTPUT = 2,
    CONSTANT_COPY = 3,       ///< in Model::operandValues
    CONSTANT_REFERENCE = 4,  ///< in one of Model::pools
    NO_VALUE = 5,            ///< an optional argument left out
    SUBGRAPH = 6,            ///< location.offset is an index into Model::referenced
};

constexpr auto enumeratorsOf(OperandLifeTime) {
    using E = OperandLifeTime;
    return details::enumerators<E>({{E::TEMPORARY_VARIABLE, "TEMPORARY_VARIABLE"},
                                    {E::SUBGRAPH_INPUT, "SUBGRAPH_INPUT"},
                                    {E::SUBGRAPH_OUTPUT, "SUBGRAPH_OUTPUT"},
                                    {E::CONSTANT_COPY, "CONSTANT_COPY"},
                                    {E::CONSTANT_REFERENCE, "CONSTANT_REFERENCE"},
                                    {E::NO_VALUE, "NO_VALUE"},
                                    {E::SUBGRAPH, "SUBGRAPH"}});
}

enum class ErrorStatus : int32_t {
    NONE = 0,
    DEVICE_UNAVAILABLE = 1,
    GENERAL_FAILURE = 2,
    OUTPUT_INSUFFICIENT_SIZE = 3,
    INVALID_ARGUMENT = 4,
    MISSED_DEADLINE_TRANSIENT = 5,
    MISSED_DEADLINE_PERSISTENT = 6,
    RESOURCE_EXHAUSTED_TRANSIENT = 7,
    RESOURCE_EXHAUSTED_PERSISTENT = 8,
};

constexpr auto enumeratorsOf(ErrorStatus) {
    using E = ErrorStatus;
    return details::enumerators<E>(
            {{E::NONE, "NONE"},
             {E::DEVICE_UNAVAILABLE, "DEVICE_UNAVAILABLE"},
             {E::GENERAL_FAILURE, "GENERAL_FAILURE"},
             {E::OUTPUT_INSUFFICIENT_SIZE, "OUTPUT_INSUFFICIENT_SIZE"},
             {E::INVALID_ARGUMENT, "INVALID_ARGUMENT"},
             {E::MISSED_DEADLINE_TRANSIENT, "MISSED_DEADLINE_TRANSIENT"},
             {E::MISSED_DEADLINE_PERSISTENT, "MISSED_DEADLINE_PERSISTENT"},
             {E::RESOURCE_EXHAUSTED_TRANSIENT, "RESOURCE_EXHAUSTED_TRANSIENT"},
             {E::RESOURCE_EXHAUSTED_PERSISTENT, "RESOURCE_EXHAUSTED_PERSISTENT"}});
}

/// How long a WHILE may run if the caller does not say, and at most.
enum class LoopTimeoutDurationNs : uint64_t { DEFAULT = 2000000000, MAXIMUM = 15000000000 };

constexpr auto enumeratorsOf(LoopTimeoutDurationNs) {
    using E = LoopTimeoutDurationNs;
    return details::enumerators<E>({{E::DEFAULT, "DEFAULT"}, {E::MAXIMUM, "MAXIMUM"}});
}

/// A point of std::chrono::steady_clock, or none.
class OptionalTimePoint
    : public details::SafeUnion<::android::hidl::safe_union::V1_0::Monostate, uint64_t> {
  public:
    VNPU_HIDL_UNION(none, nanosecondsSinceEpoch)
    VNPU_HIDL_MEMBER(0, none)
    VNPU_HIDL_MEMBER(1, nanosecondsSinceEpoch)
};
static_assert(sizeof(OptionalTimePoint) == 16);

/// A length of time, or none.
class OptionalTimeoutDuration
    : public details::SafeUnion<::android::hidl::safe_union::V1_0::Monostate, uint64_t> {
  public:
    VNPU_HIDL_UNION(none, nanoseconds)
    VNPU_HIDL_MEMBER(0, none)
    VNPU_HIDL_MEMBER(1, nanoseconds)
};
static_assert(sizeof(OptionalTimeoutDuration) == 16);

struct Capabilities {
    struct OperandPerformance {
        OperandType type{};
        V1_0::PerformanceInfo info{};
    };

    V1_0::PerformanceInfo relaxedFloat32toFloat16PerformanceScalar{};
    V1_0::PerformanceInfo relaxedFloat32toFloat16PerformanceTensor{};
    hidl_vec<OperandPerformance> operandPerformance{};  ///< sorted by type, without SUBGRAPH
    V1_0::PerformanceInfo ifPerformance{};
    V1_0::PerformanceInfo whilePerformance{};
};
static_assert(sizeof(Capabilities::OperandPerformance) == 12);
VNPU_HIDL_FIELDS(Capabilities::OperandPerformance, type, info)
static_assert(sizeof(Capabilities) == 48);
VNPU_HIDL_FIELDS(Capabilities, relaxedFloat32toFloat16PerformanceScalar,
                 relaxedFloat32toFloat16PerformanceTensor, operandPerformance, ifPerformance,
                 whilePerformance)

struct Operand {
    OperandType type{};
    hidl_vec<uint32_t> dimensions{};  ///< 0 stands for an unknown extent
    uint32_t numberOfConsumers = 0;
    float scale = 0;
    int32_t zeroPoint = 0;
    OperandLifeTime lifetime{};
    V1_0::DataLocation location{};
    V1_2::Operand::ExtraParams extraParams{};
};
static_assert(sizeof(Operand) == 88);
VNPU_HIDL_FIELDS(Operand, type, dimensions, numberOfConsumers, scale, zeroPoint, lifetime, location,
                 extraParams)

struct Operation {
    OperationType type{};
    hidl_vec<uint32_t> inputs{};   ///< indexes of operands
    hidl_vec<uint32_t> outputs{};  ///< indexes of operands
};
static_assert(sizeof(Operation) == 40);
VNPU_HIDL_FIELDS(Operation, type, inputs, outputs)

struct Subgraph {
    hidl_vec<Operand> operands{};
    hidl_vec<Operation> operations{};
    hidl_vec<uint32_t> inputIndexes{};
    hidl_vec<uint32_t> outputIndexes{};
};
static_assert(sizeof(Subgraph) == 64);
VNPU_HIDL_FIELDS(Subgraph, operands, operations, inputIndexes, outputIndexes)

struct Model {
    Subgraph main{};
    hidl_vec<Subgraph> referenced{};
    hidl_vec<uint8_t> operandValues{};
    hidl_vec<hidl_memory> pools{};
    bool relaxComputationFloat32toFloat16 = false;
    hidl_vec<V1_2::Model::ExtensionNameAndPrefix> extensionNameToPrefix{};
};
static_assert(sizeof(Model) == 136);
VNPU_HIDL_FIELDS(Model, main, referenced, operandValues, pools, relaxComputationFloat32toFloat16,
                 extensionNameToPrefix)

struct BufferDesc {
    hidl_vec<uint32_t> dimensions{};
};
static_assert(sizeof(BufferDesc) == 16);
VNPU_HIDL_FIELDS(BufferDesc, dimensions)

/// An input or output of a prepared model that a buffer may serve as.
struct BufferRole {
    uint32_t modelIndex = 0;  ///< into the list of prepared models given along
    uint32_t ioIndex = 0;
    float frequency = 0;  ///< how likely the buffer is used so, over 0 and up to 1
};
static_assert(sizeof(BufferRole) == 12);
VNPU_HIDL_FIELDS(BufferRole, modelIndex, ioIndex, frequency)

struct Request {
    class MemoryPool : public details::SafeUnion<hidl_memory, uint32_t> {
      public:
        VNPU_HIDL_UNION(hidlMemory, token)
        void hidlMemory(hidl_memory&& value) { set<0>(std::move(value)); }
        VNPU_HIDL_MEMBER(0, hidlMemory)
        VNPU_HIDL_MEMBER(1, token)
    };

    hidl_vec<V1_0::RequestArgument> inputs{};
    hidl_vec<V1_0::RequestArgument> outputs{};
    hidl_vec<MemoryPool> pools{};
};
static_assert(sizeof(Request::MemoryPool) == 48);
static_assert(sizeof(Request) == 48);
VNPU_HIDL_FIELDS(Request, inputs, outputs, pools)

#undef VNPU_HAL_VERSION

}  // namespace android::hardware::neuralnetworks::V1_3
