// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hidl/safe_union/1.0/types.h>
#include <hidl/HidlSupport.h>

#include <cstdint>
#include <utility>

namespace android::hardware::neuralnetworks::V1_3 {

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
    BOOL = 6,
    TENSOR_QUANT16_SYMM = 7,
    TENSOR_FLOAT16 = 8,
    TENSOR_BOOL8 = 9,
    FLOAT16 = 10,
    TENSOR_QUANT8_SYMM_PER_CHANNEL = 11,
    TENSOR_QUANT16_ASYMM = 12,
    TENSOR_QUANT8_SYMM = 13,
    TENSOR_QUANT8_ASYMM_SIGNED = 14,
    SUBGRAPH = 15,
};

constexpr auto enumeratorsOf(OperandType) {
    using E = OperandType;
    return details::enumerators<E>(enumeratorsOf(V1_2::OperandType()),
                                   {{E::TENSOR_QUANT8_ASYMM_SIGNED, "TENSOR_QUANT8_ASYMM_SIGNED"},
                                    {E::SUBGRAPH, "SUBGRAPH"}});
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
    using E = OperandTypeRange;
    return details::enumerators<E>({{E::BASE_MIN, "BASE_MIN"},
                                    {E::FUNDAMENTAL_MIN, "FUNDAMENTAL_MIN"},
                                    {E::FUNDAMENTAL_MAX, "FUNDAMENTAL_MAX"},
                                    {E::OEM_MIN, "OEM_MIN"},
                                    {E::OEM_MAX, "OEM_MAX"},
                                    {E::BASE_MAX, "BASE_MAX"}});
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
    BATCH_TO_SPACE_ND = 29,
    DIV = 30,
    MEAN = 31,
    PAD = 32,
    SPACE_TO_BATCH_ND = 33,
    SQUEEZE = 34,
    STRIDED_SLICE = 35,
    SUB = 36,
    TRANSPOSE = 37,
    ABS = 38,
    ARGMAX = 39,
    ARGMIN = 40,
    AXIS_ALIGNED_BBOX_TRANSFORM = 41,
    BIDIRECTIONAL_SEQUENCE_LSTM = 42,
    BIDIRECTIONAL_SEQUENCE_RNN = 43,
    BOX_WITH_NMS_LIMIT = 44,
    CAST = 45,
    CHANNEL_SHUFFLE = 46,
    DETECTION_POSTPROCESSING = 47,
    EQUAL = 48,
    EXP = 49,
    EXPAND_DIMS = 50,
    GATHER = 51,
    GENERATE_PROPOSALS = 52,
    GREATER = 53,
    GREATER_EQUAL = 54,
    GROUPED_CONV_2D = 55,
    HEATMAP_MAX_KEYPOINT = 56,
    INSTANCE_NORMALIZATION = 57,
    LESS = 58,
    LESS_EQUAL = 59,
    LOG = 60,
    LOGICAL_AND = 61,
    LOGICAL_NOT = 62,
    LOGICAL_OR = 63,
    LOG_SOFTMAX = 64,
    MAXIMUM = 65,
    MINIMUM = 66,
    NEG = 67,
    NOT_EQUAL = 68,
    PAD_V2 = 69,
    POW = 70,
    PRELU = 71,
    QUANTIZE = 72,
    QUANTIZED_16BIT_LSTM = 73,
    RANDOM_MULTINOMIAL = 74,
    REDUCE_ALL = 75,
    REDUCE_ANY = 76,
    REDUCE_MAX = 77,
    REDUCE_MIN = 78,
    REDUCE_PROD = 79,
    REDUCE_SUM = 80,
    ROI_ALIGN = 81,
    ROI_POOLING = 82,
    RSQRT = 83,
    SELECT = 84,
    SIN = 85,
    SLICE = 86,
    SPLIT = 87,
    SQRT = 88,
    TILE = 89,
    TOPK_V2 = 90,
    TRANSPOSE_CONV_2D = 91,
    UNIDIRECTIONAL_SEQUENCE_LSTM = 92,
    UNIDIRECTIONAL_SEQUENCE_RNN = 93,
    RESIZE_NEAREST_NEIGHBOR = 94,
    QUANTIZED_LSTM = 95,
    IF = 96,
    WHILE = 97,
    ELU = 98,
    HARD_SWISH = 99,
    FILL = 100,
    RANK = 101,
};

constexpr auto enumeratorsOf(OperationType) {
    using E = OperationType;
    return details::enumerators<E>(enumeratorsOf(V1_2::OperationType()),
                                   {{E::QUANTIZED_LSTM, "QUANTIZED_LSTM"},
                                    {E::IF, "IF"},
                                    {E::WHILE, "WHILE"},
                                    {E::ELU, "ELU"},
                                    {E::HARD_SWISH, "HARD_SWISH"},
                                    {E::FILL, "FILL"},
                                    {E::RANK, "RANK"}});
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
    using E = OperationTypeRange;
    return details::enumerators<E>({{E::BASE_MIN, "BASE_MIN"},
                                    {E::FUNDAMENTAL_MIN, "FUNDAMENTAL_MIN"},
                                    {E::FUNDAMENTAL_MAX, "FUNDAMENTAL_MAX"},
                                    {E::OEM_MIN, "OEM_MIN"},
                                    {E::OEM_MAX, "OEM_MAX"},
                                    {E::BASE_MAX, "BASE_MAX"}});
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
            enumeratorsOf(V1_0::ErrorStatus()),
            {{E::MISSED_DEADLINE_TRANSIENT, "MISSED_DEADLINE_TRANSIENT"},
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
    enum class hidl_discriminator : uint8_t { none = 0, nanosecondsSinceEpoch = 1 };
    static constexpr const char* kMemberNames[] = {"none", "nanosecondsSinceEpoch"};

    hidl_discriminator getDiscriminator() const { return hidl_discriminator{memberIndex()}; }

    void none(const ::android::hidl::safe_union::V1_0::Monostate& value) { set<0>(value); }
    ::android::hidl::safe_union::V1_0::Monostate& none() { return get<0>(); }
    const ::android::hidl::safe_union::V1_0::Monostate& none() const { return get<0>(); }

    void nanosecondsSinceEpoch(uint64_t value) { set<1>(value); }
    uint64_t& nanosecondsSinceEpoch() { return get<1>(); }
    uint64_t nanosecondsSinceEpoch() const { return get<1>(); }
};
static_assert(sizeof(OptionalTimePoint) == 16);

/// A length of time, or none.
class OptionalTimeoutDuration
    : public details::SafeUnion<::android::hidl::safe_union::V1_0::Monostate, uint64_t> {
  public:
    enum class hidl_discriminator : uint8_t { none = 0, nanoseconds = 1 };
    static constexpr const char* kMemberNames[] = {"none", "nanoseconds"};

    hidl_discriminator getDiscriminator() const { return hidl_discriminator{memberIndex()}; }

    void none(const ::android::hidl::safe_union::V1_0::Monostate& value) { set<0>(value); }
    ::android::hidl::safe_union::V1_0::Monostate& none() { return get<0>(); }
    const ::android::hidl::safe_union::V1_0::Monostate& none() const { return get<0>(); }

    void nanoseconds(uint64_t value) { set<1>(value); }
    uint64_t& nanoseconds() { return get<1>(); }
    uint64_t nanoseconds() const { return get<1>(); }
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
static_assert(sizeof(Capabilities) == 48);

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

struct Operation {
    OperationType type{};
    hidl_vec<uint32_t> inputs{};   ///< indexes of operands
    hidl_vec<uint32_t> outputs{};  ///< indexes of operands
};
static_assert(sizeof(Operation) == 40);

struct Subgraph {
    hidl_vec<Operand> operands{};
    hidl_vec<Operation> operations{};
    hidl_vec<uint32_t> inputIndexes{};
    hidl_vec<uint32_t> outputIndexes{};
};
static_assert(sizeof(Subgraph) == 64);

struct Model {
    Subgraph main{};
    hidl_vec<Subgraph> referenced{};
    hidl_vec<uint8_t> operandValues{};
    hidl_vec<hidl_memory> pools{};
    bool relaxComputationFloat32toFloat16 = false;
    hidl_vec<V1_2::Model::ExtensionNameAndPrefix> extensionNameToPrefix{};
};
static_assert(sizeof(Model) == 136);

struct BufferDesc {
    hidl_vec<uint32_t> dimensions{};
};
static_assert(sizeof(BufferDesc) == 16);

/// An input or output of a prepared model that a buffer may serve as.
struct BufferRole {
    uint32_t modelIndex = 0;  ///< into the list of prepared models given along
    uint32_t ioIndex = 0;
    float frequency = 0;  ///< how likely the buffer is used so, over 0 and up to 1
};
static_assert(sizeof(BufferRole) == 12);

struct Request {
    class MemoryPool : public details::SafeUnion<hidl_memory, uint32_t> {
      public:
        enum class hidl_discriminator : uint8_t { hidlMemory = 0, token = 1 };
        static constexpr const char* kMemberNames[] = {"hidlMemory", "token"};

        hidl_discriminator getDiscriminator() const { return hidl_discriminator{memberIndex()}; }

        void hidlMemory(const hidl_memory& value) { set<0>(value); }
        void hidlMemory(hidl_memory&& value) { set<0>(std::move(value)); }
        hidl_memory& hidlMemory() { return get<0>(); }
        const hidl_memory& hidlMemory() const { return get<0>(); }

        void token(uint32_t value) { set<1>(value); }
        uint32_t& token() { return get<1>(); }
        uint32_t token() const { return get<1>(); }
    };

    hidl_vec<V1_0::RequestArgument> inputs{};
    hidl_vec<V1_0::RequestArgument> outputs{};
    hidl_vec<MemoryPool> pools{};
};
static_assert(sizeof(Request::MemoryPool) == 48);
static_assert(sizeof(Request) == 48);

inline auto fieldsOf(const Capabilities::OperandPerformance& v) {
    return details::fields({"type", "info"}, v.type, v.info);
}
inline auto fieldsOf(const Capabilities& v) {
    return details::fields(
            {"relaxedFloat32toFloat16PerformanceScalar", "relaxedFloat32toFloat16PerformanceTensor",
             "operandPerformance", "ifPerformance", "whilePerformance"},
            v.relaxedFloat32toFloat16PerformanceScalar, v.relaxedFloat32toFloat16PerformanceTensor,
            v.operandPerformance, v.ifPerformance, v.whilePerformance);
}
inline auto fieldsOf(const Operand& v) {
    return details::fields({"type", "dimensions", "numberOfConsumers", "scale", "zeroPoint",
                            "lifetime", "location", "extraParams"},
                           v.type, v.dimensions, v.numberOfConsumers, v.scale, v.zeroPoint,
                           v.lifetime, v.location, v.extraParams);
}
inline auto fieldsOf(const Operation& v) {
    return details::fields({"type", "inputs", "outputs"}, v.type, v.inputs, v.outputs);
}
inline auto fieldsOf(const Subgraph& v) {
    return details::fields({"operands", "operations", "inputIndexes", "outputIndexes"}, v.operands,
                           v.operations, v.inputIndexes, v.outputIndexes);
}
inline auto fieldsOf(const Model& v) {
    return details::fields({"main", "referenced", "operandValues", "pools",
                            "relaxComputationFloat32toFloat16", "extensionNameToPrefix"},
                           v.main, v.referenced, v.operandValues, v.pools,
                           v.relaxComputationFloat32toFloat16, v.extensionNameToPrefix);
}
inline auto fieldsOf(const BufferDesc& v) {
    return details::fields({"dimensions"}, v.dimensions);
}
inline auto fieldsOf(const BufferRole& v) {
    return details::fields({"modelIndex", "ioIndex", "frequency"}, v.modelIndex, v.ioIndex,
                           v.frequency);
}
inline auto fieldsOf(const Request& v) {
    return details::fields({"inputs", "outputs", "pools"}, v.inputs, v.outputs, v.pools);
}

}  // namespace android::hardware::neuralnetworks::V1_3
