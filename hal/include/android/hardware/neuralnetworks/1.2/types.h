// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hidl/safe_union/1.0/types.h>
#include <hidl/HidlSupport.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace android::hardware::neuralnetworks::V1_2 {

using ::android::hardware::PrintTo;
using ::android::hardware::toString;
using ::android::hardware::operator<<;
using ::android::hardware::operator==;
using ::android::hardware::operator!=;
using ::android::hardware::operator|;
using ::android::hardware::operator&;
using ::android::hardware::operator|=;
using ::android::hardware::operator&=;

enum class Constant : uint32_t {
    BYTE_SIZE_OF_CACHE_TOKEN = 32,
    MAX_NUMBER_OF_CACHE_FILES = 32,
};

constexpr auto enumeratorsOf(Constant) {
    using E = Constant;
    return details::enumerators<E>({{E::BYTE_SIZE_OF_CACHE_TOKEN, "BYTE_SIZE_OF_CACHE_TOKEN"},
                                    {E::MAX_NUMBER_OF_CACHE_FILES, "MAX_NUMBER_OF_CACHE_FILES"}});
}

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
};

constexpr auto enumeratorsOf(OperandType) {
    using E = OperandType;
    return details::enumerators<E>(
            enumeratorsOf(V1_0::OperandType()),
            {{E::BOOL, "BOOL"},
             {E::TENSOR_QUANT16_SYMM, "TENSOR_QUANT16_SYMM"},
             {E::TENSOR_FLOAT16, "TENSOR_FLOAT16"},
             {E::TENSOR_BOOL8, "TENSOR_BOOL8"},
             {E::FLOAT16, "FLOAT16"},
             {E::TENSOR_QUANT8_SYMM_PER_CHANNEL, "TENSOR_QUANT8_SYMM_PER_CHANNEL"},
             {E::TENSOR_QUANT16_ASYMM, "TENSOR_QUANT16_ASYMM"},
             {E::TENSOR_QUANT8_SYMM, "TENSOR_QUANT8_SYMM"}});
}

enum class OperandTypeRange : uint32_t {
    BASE_MIN = 0,
    FUNDAMENTAL_MIN = 0,
    FUNDAMENTAL_MAX = 13,
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
};

constexpr auto enumeratorsOf(OperationType) {
    using E = OperationType;
    return details::enumerators<E>(
            enumeratorsOf(V1_1::OperationType()),
            {{E::ABS, "ABS"},
             {E::ARGMAX, "ARGMAX"},
             {E::ARGMIN, "ARGMIN"},
             {E::AXIS_ALIGNED_BBOX_TRANSFORM, "AXIS_ALIGNED_BBOX_TRANSFORM"},
             {E::BIDIRECTIONAL_SEQUENCE_LSTM, "BIDIRECTIONAL_SEQUENCE_LSTM"},
             {E::BIDIRECTIONAL_SEQUENCE_RNN, "BIDIRECTIONAL_SEQUENCE_RNN"},
             {E::BOX_WITH_NMS_LIMIT, "BOX_WITH_NMS_LIMIT"},
             {E::CAST, "CAST"},
             {E::CHANNEL_SHUFFLE, "CHANNEL_SHUFFLE"},
             {E::DETECTION_POSTPROCESSING, "DETECTION_POSTPROCESSING"},
             {E::EQUAL, "EQUAL"},
             {E::EXP, "EXP"},
             {E::EXPAND_DIMS, "EXPAND_DIMS"},
             {E::GATHER, "GATHER"},
             {E::GENERATE_PROPOSALS, "GENERATE_PROPOSALS"},
             {E::GREATER, "GREATER"},
             {E::GREATER_EQUAL, "GREATER_EQUAL"},
             {E::GROUPED_CONV_2D, "GROUPED_CONV_2D"},
             {E::HEATMAP_MAX_KEYPOINT, "HEATMAP_MAX_KEYPOINT"},
             {E::INSTANCE_NORMALIZATION, "INSTANCE_NORMALIZATION"},
             {E::LESS, "LESS"},
             {E::LESS_EQUAL, "LESS_EQUAL"},
             {E::LOG, "LOG"},
             {E::LOGICAL_AND, "LOGICAL_AND"},
             {E::LOGICAL_NOT, "LOGICAL_NOT"},
             {E::LOGICAL_OR, "LOGICAL_OR"},
             {E::LOG_SOFTMAX, "LOG_SOFTMAX"},
             {E::MAXIMUM, "MAXIMUM"},
             {E::MINIMUM, "MINIMUM"},
             {E::NEG, "NEG"},
             {E::NOT_EQUAL, "NOT_EQUAL"},
             {E::PAD_V2, "PAD_V2"},
             {E::POW, "POW"},
             {E::PRELU, "PRELU"},
             {E::QUANTIZE, "QUANTIZE"},
             {E::QUANTIZED_16BIT_LSTM, "QUANTIZED_16BIT_LSTM"},
             {E::RANDOM_MULTINOMIAL, "RANDOM_MULTINOMIAL"},
             {E::REDUCE_ALL, "REDUCE_ALL"},
             {E::REDUCE_ANY, "REDUCE_ANY"},
             {E::REDUCE_MAX, "REDUCE_MAX"},
             {E::REDUCE_MIN, "REDUCE_MIN"},
             {E::REDUCE_PROD, "REDUCE_PROD"},
             {E::REDUCE_SUM, "REDUCE_SUM"},
             {E::ROI_ALIGN, "ROI_ALIGN"},
             {E::ROI_POOLING, "ROI_POOLING"},
             {E::RSQRT, "RSQRT"},
             {E::SELECT, "SELECT"},
             {E::SIN, "SIN"},
             {E::SLICE, "SLICE"},
             {E::SPLIT, "SPLIT"},
             {E::SQRT, "SQRT"},
             {E::TILE, "TILE"},
             {E::TOPK_V2, "TOPK_V2"},
             {E::TRANSPOSE_CONV_2D, "TRANSPOSE_CONV_2D"},
             {E::UNIDIRECTIONAL_SEQUENCE_LSTM, "UNIDIRECTIONAL_SEQUENCE_LSTM"},
             {E::UNIDIRECTIONAL_SEQUENCE_RNN, "UNIDIRECTIONAL_SEQUENCE_RNN"},
             {E::RESIZE_NEAREST_NEIGHBOR, "RESIZE_NEAREST_NEIGHBOR"}});
}

enum class OperationTypeRange : uint32_t {
    BASE_MIN = 0,
    FUNDAMENTAL_MIN = 0,
    FUNDAMENTAL_MAX = 94,
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

enum class DeviceType : int32_t { OTHER = 1, CPU = 2, GPU = 3, ACCELERATOR = 4 };

constexpr auto enumeratorsOf(DeviceType) {
    using E = DeviceType;
    return details::enumerators<E>({{E::OTHER, "OTHER"},
                                    {E::CPU, "CPU"},
                                    {E::GPU, "GPU"},
                                    {E::ACCELERATOR, "ACCELERATOR"}});
}

enum class MeasureTiming : int32_t { NO = 0, YES = 1 };

constexpr auto enumeratorsOf(MeasureTiming) {
    using E = MeasureTiming;
    return details::enumerators<E>({{E::NO, "NO"}, {E::YES, "YES"}});
}

struct Capabilities {
    struct OperandPerformance {
        OperandType type{};
        V1_0::PerformanceInfo info{};
    };

    V1_0::PerformanceInfo relaxedFloat32toFloat16PerformanceScalar{};
    V1_0::PerformanceInfo relaxedFloat32toFloat16PerformanceTensor{};
    hidl_vec<OperandPerformance> operandPerformance{};  ///< sorted by type
};
static_assert(sizeof(Capabilities::OperandPerformance) == 12);
static_assert(sizeof(Capabilities) == 32);

struct SymmPerChannelQuantParams {
    hidl_vec<float> scales{};
    uint32_t channelDim = 0;
};
static_assert(sizeof(SymmPerChannelQuantParams) == 24);

inline auto fieldsOf(const SymmPerChannelQuantParams& v) {
    return details::fields({"scales", "channelDim"}, v.scales, v.channelDim);
}

struct Operand {
    /// What some types need beside scale and zero point.
    class ExtraParams : public details::SafeUnion<::android::hidl::safe_union::V1_0::Monostate,
                                                  SymmPerChannelQuantParams, hidl_vec<uint8_t>> {
      public:
        enum class hidl_discriminator : uint8_t { none = 0, channelQuant = 1, extension = 2 };
        static constexpr const char* kMemberNames[] = {"none", "channelQuant", "extension"};

        hidl_discriminator getDiscriminator() const { return hidl_discriminator{memberIndex()}; }

        void none(const ::android::hidl::safe_union::V1_0::Monostate& value) { set<0>(value); }
        ::android::hidl::safe_union::V1_0::Monostate& none() { return get<0>(); }
        const ::android::hidl::safe_union::V1_0::Monostate& none() const { return get<0>(); }

        void channelQuant(const SymmPerChannelQuantParams& value) { set<1>(value); }
        void channelQuant(SymmPerChannelQuantParams&& value) { set<1>(std::move(value)); }
        SymmPerChannelQuantParams& channelQuant() { return get<1>(); }
        const SymmPerChannelQuantParams& channelQuant() const { return get<1>(); }

        void extension(const hidl_vec<uint8_t>& value) { set<2>(value); }
        void extension(hidl_vec<uint8_t>&& value) { set<2>(std::move(value)); }
        hidl_vec<uint8_t>& extension() { return get<2>(); }
        const hidl_vec<uint8_t>& extension() const { return get<2>(); }
    };

    OperandType type{};
    hidl_vec<uint32_t> dimensions{};  ///< 0 stands for an unknown extent
    uint32_t numberOfConsumers = 0;
    float scale = 0;
    int32_t zeroPoint = 0;
    V1_0::OperandLifeTime lifetime{};
    V1_0::DataLocation location{};
    ExtraParams extraParams{};
};
static_assert(sizeof(Operand::ExtraParams) == 32);
static_assert(sizeof(Operand) == 88);

struct Operation {
    OperationType type{};
    hidl_vec<uint32_t> inputs{};   ///< indexes of operands
    hidl_vec<uint32_t> outputs{};  ///< indexes of operands
};
static_assert(sizeof(Operation) == 40);

struct Model {
    /// How a 32-bit type splits into an extension's prefix and a type within it, in bits.
    enum class ExtensionTypeEncoding : uint8_t { HIGH_BITS_PREFIX = 16, LOW_BITS_TYPE = 16 };

    struct ExtensionNameAndPrefix {
        hidl_string name{};
        uint16_t prefix = 0;
    };

    hidl_vec<Operand> operands{};
    hidl_vec<Operation> operations{};
    hidl_vec<uint32_t> inputIndexes{};
    hidl_vec<uint32_t> outputIndexes{};
    hidl_vec<uint8_t> operandValues{};
    hidl_vec<hidl_memory> pools{};
    bool relaxComputationFloat32toFloat16 = false;
    hidl_vec<ExtensionNameAndPrefix> extensionNameToPrefix{};
};
static_assert(sizeof(Model::ExtensionNameAndPrefix) == 24);
static_assert(sizeof(Model) == 120);

constexpr auto enumeratorsOf(Model::ExtensionTypeEncoding) {
    using E = Model::ExtensionTypeEncoding;
    return details::enumerators<E>(
            {{E::HIGH_BITS_PREFIX, "HIGH_BITS_PREFIX"}, {E::LOW_BITS_TYPE, "LOW_BITS_TYPE"}});
}

struct OutputShape {
    hidl_vec<uint32_t> dimensions{};
    bool isSufficient = false;
};
static_assert(sizeof(OutputShape) == 24);

/// Microseconds; UINT64_MAX where they were not measured.
struct Timing {
    uint64_t timeOnDevice = 0;
    uint64_t timeInDriver = 0;
};
static_assert(sizeof(Timing) == 16);

struct Extension {
    struct OperandTypeInformation {
        uint16_t type = 0;
        bool isTensor = false;
        uint32_t byteSize = 0;
    };

    hidl_string name{};
    hidl_vec<OperandTypeInformation> operandTypes{};
};
static_assert(sizeof(Extension::OperandTypeInformation) == 8);
static_assert(sizeof(Extension) == 32);

/// Known as FmqRequestDatum::PacketInformation.
struct FmqRequestPacketInformation {
    uint32_t packetSize = 0;  ///< data of the whole packet, this one included
    uint32_t numberOfInputOperands = 0;
    uint32_t numberOfOutputOperands = 0;
    uint32_t numberOfPools = 0;
};

/// Known as FmqRequestDatum::OperandInformation.
struct FmqRequestOperandInformation {
    bool hasNoValue = false;
    V1_0::DataLocation location{};
    uint32_t numberOfDimensions = 0;
};

/// One datum of a burst's request queue. Lies in memory shared between processes, so it holds no
/// pointers, and its operand information is set field by field to keep the padding zero.
class FmqRequestDatum
    : public details::SafeUnion<FmqRequestPacketInformation, FmqRequestOperandInformation, uint32_t,
                                FmqRequestOperandInformation, uint32_t, int32_t, MeasureTiming> {
  public:
    using PacketInformation = FmqRequestPacketInformation;
    using OperandInformation = FmqRequestOperandInformation;

    enum class hidl_discriminator : uint8_t {
        packetInformation = 0,
        inputOperandInformation = 1,
        inputOperandDimensionValue = 2,
        outputOperandInformation = 3,
        outputOperandDimensionValue = 4,
        poolIdentifier = 5,
        measureTiming = 6,
    };
    static constexpr const char* kMemberNames[] = {"packetInformation",
                                                   "inputOperandInformation",
                                                   "inputOperandDimensionValue",
                                                   "outputOperandInformation",
                                                   "outputOperandDimensionValue",
                                                   "poolIdentifier",
                                                   "measureTiming"};

    hidl_discriminator getDiscriminator() const { return hidl_discriminator{memberIndex()}; }

    void packetInformation(const PacketInformation& value) { set<0>(value); }
    PacketInformation& packetInformation() { return get<0>(); }
    const PacketInformation& packetInformation() const { return get<0>(); }

    void inputOperandInformation(const OperandInformation& value) { setFields(value, select<1>()); }
    OperandInformation& inputOperandInformation() { return get<1>(); }
    const OperandInformation& inputOperandInformation() const { return get<1>(); }

    void inputOperandDimensionValue(uint32_t value) { set<2>(value); }
    uint32_t& inputOperandDimensionValue() { return get<2>(); }
    uint32_t inputOperandDimensionValue() const { return get<2>(); }

    void outputOperandInformation(const OperandInformation& value) {
        setFields(value, select<3>());
    }
    OperandInformation& outputOperandInformation() { return get<3>(); }
    const OperandInformation& outputOperandInformation() const { return get<3>(); }

    void outputOperandDimensionValue(uint32_t value) { set<4>(value); }
    uint32_t& outputOperandDimensionValue() { return get<4>(); }
    uint32_t outputOperandDimensionValue() const { return get<4>(); }

    void poolIdentifier(int32_t value) { set<5>(value); }
    int32_t& poolIdentifier() { return get<5>(); }
    int32_t poolIdentifier() const { return get<5>(); }

    void measureTiming(MeasureTiming value) { set<6>(value); }
    MeasureTiming& measureTiming() { return get<6>(); }
    MeasureTiming measureTiming() const { return get<6>(); }

  private:
    static void setFields(const OperandInformation& from, OperandInformation& to) {
        to.hasNoValue = from.hasNoValue;
        to.location = from.location;
        to.numberOfDimensions = from.numberOfDimensions;
    }
};
static_assert(sizeof(FmqRequestDatum::PacketInformation) == 16);
static_assert(sizeof(FmqRequestDatum::OperandInformation) == 20);
static_assert(sizeof(FmqRequestDatum) == 24 && alignof(FmqRequestDatum) == 4);

/// Known as FmqResultDatum::PacketInformation.
struct FmqResultPacketInformation {
    uint32_t packetSize = 0;  ///< data of the whole packet, this one included
    V1_0::ErrorStatus errorStatus{};
    uint32_t numberOfOperands = 0;
};

/// Known as FmqResultDatum::OperandInformation.
struct FmqResultOperandInformation {
    bool isSufficient = false;
    uint32_t numberOfDimensions = 0;
};

/// One datum of a burst's result queue; see FmqRequestDatum.
class FmqResultDatum : public details::SafeUnion<FmqResultPacketInformation,
                                                 FmqResultOperandInformation, uint32_t, Timing> {
  public:
    using PacketInformation = FmqResultPacketInformation;
    using OperandInformation = FmqResultOperandInformation;

    enum class hidl_discriminator : uint8_t {
        packetInformation = 0,
        operandInformation = 1,
        operandDimensionValue = 2,
        executionTiming = 3,
    };
    static constexpr const char* kMemberNames[] = {"packetInformation", "operandInformation",
                                                   "operandDimensionValue", "executionTiming"};

    hidl_discriminator getDiscriminator() const { return hidl_discriminator{memberIndex()}; }

    void packetInformation(const PacketInformation& value) { set<0>(value); }
    PacketInformation& packetInformation() { return get<0>(); }
    const PacketInformation& packetInformation() const { return get<0>(); }

    void operandInformation(const OperandInformation& value) {
        OperandInformation& stored = select<1>();
        stored.isSufficient = value.isSufficient;
        stored.numberOfDimensions = value.numberOfDimensions;
    }
    OperandInformation& operandInformation() { return get<1>(); }
    const OperandInformation& operandInformation() const { return get<1>(); }

    void operandDimensionValue(uint32_t value) { set<2>(value); }
    uint32_t& operandDimensionValue() { return get<2>(); }
    uint32_t operandDimensionValue() const { return get<2>(); }

    void executionTiming(const Timing& value) { set<3>(value); }
    Timing& executionTiming() { return get<3>(); }
    const Timing& executionTiming() const { return get<3>(); }
};
static_assert(sizeof(FmqResultDatum::PacketInformation) == 12);
static_assert(sizeof(FmqResultDatum::OperandInformation) == 8);
static_assert(offsetof(FmqResultDatum::OperandInformation, isSufficient) == 0);
static_assert(offsetof(FmqResultDatum::OperandInformation, numberOfDimensions) == 4);
static_assert(sizeof(FmqResultDatum) == 24 && alignof(FmqResultDatum) == 8);

inline auto fieldsOf(const Capabilities::OperandPerformance& v) {
    return details::fields({"type", "info"}, v.type, v.info);
}
inline auto fieldsOf(const Capabilities& v) {
    return details::fields({"relaxedFloat32toFloat16PerformanceScalar",
                            "relaxedFloat32toFloat16PerformanceTensor", "operandPerformance"},
                           v.relaxedFloat32toFloat16PerformanceScalar,
                           v.relaxedFloat32toFloat16PerformanceTensor, v.operandPerformance);
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
inline auto fieldsOf(const Model::ExtensionNameAndPrefix& v) {
    return details::fields({"name", "prefix"}, v.name, v.prefix);
}
inline auto fieldsOf(const Model& v) {
    return details::fields(
            {"operands", "operations", "inputIndexes", "outputIndexes", "operandValues", "pools",
             "relaxComputationFloat32toFloat16", "extensionNameToPrefix"},
            v.operands, v.operations, v.inputIndexes, v.outputIndexes, v.operandValues, v.pools,
            v.relaxComputationFloat32toFloat16, v.extensionNameToPrefix);
}
inline auto fieldsOf(const OutputShape& v) {
    return details::fields({"dimensions", "isSufficient"}, v.dimensions, v.isSufficient);
}
inline auto fieldsOf(const Timing& v) {
    return details::fields({"timeOnDevice", "timeInDriver"}, v.timeOnDevice, v.timeInDriver);
}
inline auto fieldsOf(const Extension::OperandTypeInformation& v) {
    return details::fields({"type", "isTensor", "byteSize"}, v.type, v.isTensor, v.byteSize);
}
inline auto fieldsOf(const Extension& v) {
    return details::fields({"name", "operandTypes"}, v.name, v.operandTypes);
}
inline auto fieldsOf(const FmqRequestPacketInformation& v) {
    return details::fields(
            {"packetSize", "numberOfInputOperands", "numberOfOutputOperands", "numberOfPools"},
            v.packetSize, v.numberOfInputOperands, v.numberOfOutputOperands, v.numberOfPools);
}
inline auto fieldsOf(const FmqRequestOperandInformation& v) {
    return details::fields({"hasNoValue", "location", "numberOfDimensions"}, v.hasNoValue,
                           v.location, v.numberOfDimensions);
}
inline auto fieldsOf(const FmqResultPacketInformation& v) {
    return details::fields({"packetSize", "errorStatus", "numberOfOperands"}, v.packetSize,
                           v.errorStatus, v.numberOfOperands);
}
inline auto fieldsOf(const FmqResultOperandInformation& v) {
    return details::fields({"isSufficient", "numberOfDimensions"}, v.isSufficient,
                           v.numberOfDimensions);
}

}  // namespace android::hardware::neuralnetworks::V1_2
