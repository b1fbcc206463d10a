// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hidl/safe_union/1.0/types.h>
#include <hidl/HidlSupport.h>
#include <vnpu/hal/hidl/declare.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace android::hardware::neuralnetworks::V1_2 {

VNPU_HIDL_OPERATORS

#define VNPU_HAL_VERSION 12

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
    FUNDAMENTAL_MAX = 13,
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
    FUNDAMENTAL_MAX = 94,
    OEM_MIN = 10000,
    OEM_MAX = 10000,
    BASE_MAX = 0xFFFF,
};

constexpr auto enumeratorsOf(OperationTypeRange) {
    return details::rangeEnumerators<OperationTypeRange>();
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
VNPU_HIDL_FIELDS(Capabilities::OperandPerformance, type, info)
static_assert(sizeof(Capabilities) == 32);
VNPU_HIDL_FIELDS(Capabilities, relaxedFloat32toFloat16PerformanceScalar,
                 relaxedFloat32toFloat16PerformanceTensor, operandPerformance)

struct SymmPerChannelQuantParams {
    hidl_vec<float> scales{};
    uint32_t channelDim = 0;
};
static_assert(sizeof(SymmPerChannelQuantParams) == 24);
VNPU_HIDL_FIELDS(SymmPerChannelQuantParams, scales, channelDim)

struct Operand {
    /// What some types need beside scale and zero point.
    class ExtraParams : public details::SafeUnion<::android::hidl::safe_union::V1_0::Monostate,
                                                  SymmPerChannelQuantParams, hidl_vec<uint8_t>> {
      public:
        VNPU_HIDL_UNION(none, channelQuant, extension)
        VNPU_HIDL_MEMBER(0, none)
        void channelQuant(SymmPerChannelQuantParams&& value) { set<1>(std::move(value)); }
        VNPU_HIDL_MEMBER(1, channelQuant)
        void extension(hidl_vec<uint8_t>&& value) { set<2>(std::move(value)); }
        VNPU_HIDL_MEMBER(2, extension)
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
VNPU_HIDL_FIELDS(Operand, type, dimensions, numberOfConsumers, scale, zeroPoint, lifetime, location,
                 extraParams)

struct Operation {
    OperationType type{};
    hidl_vec<uint32_t> inputs{};   ///< indexes of operands
    hidl_vec<uint32_t> outputs{};  ///< indexes of operands
};
static_assert(sizeof(Operation) == 40);
VNPU_HIDL_FIELDS(Operation, type, inputs, outputs)

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
VNPU_HIDL_FIELDS(Model::ExtensionNameAndPrefix, name, prefix)
static_assert(sizeof(Model) == 120);
VNPU_HIDL_FIELDS(Model, operands, operations, inputIndexes, outputIndexes, operandValues, pools,
                 relaxComputationFloat32toFloat16, extensionNameToPrefix)

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
VNPU_HIDL_FIELDS(OutputShape, dimensions, isSufficient)

/// Microseconds; UINT64_MAX where they were not measured.
struct Timing {
    uint64_t timeOnDevice = 0;
    uint64_t timeInDriver = 0;
};
static_assert(sizeof(Timing) == 16);
VNPU_HIDL_FIELDS(Timing, timeOnDevice, timeInDriver)

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
VNPU_HIDL_FIELDS(Extension::OperandTypeInformation, type, isTensor, byteSize)
static_assert(sizeof(Extension) == 32);
VNPU_HIDL_FIELDS(Extension, name, operandTypes)

/// Known as FmqRequestDatum::PacketInformation.
struct FmqRequestPacketInformation {
    uint32_t packetSize = 0;  ///< data of the whole packet, this one included
    uint32_t numberOfInputOperands = 0;
    uint32_t numberOfOutputOperands = 0;
    uint32_t numberOfPools = 0;
};
VNPU_HIDL_FIELDS(FmqRequestPacketInformation, packetSize, numberOfInputOperands,
                 numberOfOutputOperands, numberOfPools)

/// Known as FmqRequestDatum::OperandInformation.
struct FmqRequestOperandInformation {
    bool hasNoValue = false;
    V1_0::DataLocation location{};
    uint32_t numberOfDimensions = 0;
};
VNPU_HIDL_FIELDS(FmqRequestOperandInformation, hasNoValue, location, numberOfDimensions)

/// One datum of a burst's request queue. Lies in memory shared between processes, so it holds no
/// pointers, and its operand information is set field by field to keep the padding zero.
class FmqRequestDatum
    : public details::SafeUnion<FmqRequestPacketInformation, FmqRequestOperandInformation, uint32_t,
                                FmqRequestOperandInformation, uint32_t, int32_t, MeasureTiming> {
  public:
    using PacketInformation = FmqRequestPacketInformation;
    using OperandInformation = FmqRequestOperandInformation;

    VNPU_HIDL_UNION(packetInformation, inputOperandInformation, inputOperandDimensionValue,
                    outputOperandInformation, outputOperandDimensionValue, poolIdentifier,
                    measureTiming)
    VNPU_HIDL_MEMBER(0, packetInformation)
    void inputOperandInformation(const OperandInformation& value) { setFields(value, select<1>()); }
    VNPU_HIDL_GETTERS(1, inputOperandInformation)
    VNPU_HIDL_MEMBER(2, inputOperandDimensionValue)
    void outputOperandInformation(const OperandInformation& value) {
        setFields(value, select<3>());
    }
    VNPU_HIDL_GETTERS(3, outputOperandInformation)
    VNPU_HIDL_MEMBER(4, outputOperandDimensionValue)
    VNPU_HIDL_MEMBER(5, poolIdentifier)
    VNPU_HIDL_MEMBER(6, measureTiming)

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
VNPU_HIDL_FIELDS(FmqResultPacketInformation, packetSize, errorStatus, numberOfOperands)

/// Known as FmqResultDatum::OperandInformation.
struct FmqResultOperandInformation {
    bool isSufficient = false;
    uint32_t numberOfDimensions = 0;
};
VNPU_HIDL_FIELDS(FmqResultOperandInformation, isSufficient, numberOfDimensions)

/// One datum of a burst's result queue; see FmqRequestDatum.
class FmqResultDatum : public details::SafeUnion<FmqResultPacketInformation,
                                                 FmqResultOperandInformation, uint32_t, Timing> {
  public:
    using PacketInformation = FmqResultPacketInformation;
    using OperandInformation = FmqResultOperandInformation;

    VNPU_HIDL_UNION(packetInformation, operandInformation, operandDimensionValue, executionTiming)
    VNPU_HIDL_MEMBER(0, packetInformation)
    void operandInformation(const OperandInformation& value) {
        OperandInformation& stored = select<1>();
        stored.isSufficient = value.isSufficient;
        stored.numberOfDimensions = value.numberOfDimensions;
    }
    VNPU_HIDL_GETTERS(1, operandInformation)
    VNPU_HIDL_MEMBER(2, operandDimensionValue)
    VNPU_HIDL_MEMBER(3, executionTiming)
};
static_assert(sizeof(FmqResultDatum::PacketInformation) == 12);
static_assert(sizeof(FmqResultDatum::OperandInformation) == 8);
static_assert(offsetof(FmqResultDatum::OperandInformation, isSufficient) == 0);
static_assert(offsetof(FmqResultDatum::OperandInformation, numberOfDimensions) == 4);
static_assert(sizeof(FmqResultDatum) == 24 && alignof(FmqResultDatum) == 8);

#undef VNPU_HAL_VERSION

}  // namespace android::hardware::neuralnetworks::V1_2
