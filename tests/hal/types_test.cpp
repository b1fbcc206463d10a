// SPDX-License-Identifier: Apache-2.0
#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <android/hidl/base/1.0/types.h>
#include <doctest/doctest.h>

#include <string>
#include <type_traits>

namespace {

using android::hardware::hidl_vec;
namespace V1_0 = android::hardware::neuralnetworks::V1_0;
namespace V1_1 = android::hardware::neuralnetworks::V1_1;
namespace V1_2 = android::hardware::neuralnetworks::V1_2;
namespace V1_3 = android::hardware::neuralnetworks::V1_3;

// Sizes are asserted beside the types.

TEST_SUITE_BEGIN("hal/types");

TEST_CASE("the structures are aggregates, so that designated initializers work") {
    static_assert(std::is_aggregate_v<V1_0::Model>);
    static_assert(std::is_aggregate_v<V1_1::Model>);
    static_assert(std::is_aggregate_v<V1_2::Model>);
    static_assert(std::is_aggregate_v<V1_3::Model>);
    static_assert(std::is_aggregate_v<V1_3::Operand>);
    static_assert(std::is_aggregate_v<V1_3::Capabilities>);
    static_assert(std::is_aggregate_v<V1_3::Request>);
    static_assert(std::is_aggregate_v<V1_0::RequestArgument>);
    const V1_3::Model model{
            .main = {.operands = std::vector<V1_3::Operand>(2), .inputIndexes = {0}},
            .relaxComputationFloat32toFloat16 = true};
    CHECK(model.main.operands.size() == 2);
    CHECK(model.referenced.size() == 0);
}

TEST_CASE("plain structures can be copied as bytes") {
    static_assert(std::is_trivially_copyable_v<V1_0::DataLocation>);
    static_assert(std::is_trivially_copyable_v<V1_0::PerformanceInfo>);
    static_assert(std::is_trivially_copyable_v<V1_2::Timing>);
    static_assert(std::is_trivially_copyable_v<V1_2::FmqRequestDatum::OperandInformation>);
    static_assert(std::is_trivially_copyable_v<V1_2::FmqResultDatum::OperandInformation>);
}

TEST_CASE("fields stand where generated code puts them") {
    static_assert(offsetof(V1_0::Operand, dimensions) == 8);
    static_assert(offsetof(V1_0::Operand, location) == 40);
    static_assert(offsetof(V1_2::Operand, extraParams) == 56);
    static_assert(offsetof(V1_0::RequestArgument, location) == 4);
    static_assert(offsetof(V1_3::Model, operandValues) == 80);
    static_assert(offsetof(V1_3::Model, extensionNameToPrefix) == 120);
    static_assert(offsetof(V1_3::Capabilities, ifPerformance) == 32);
    static_assert(offsetof(V1_2::FmqRequestDatum::OperandInformation, location) == 4);
    static_assert(offsetof(V1_2::FmqRequestDatum::OperandInformation, numberOfDimensions) == 16);
}

TEST_CASE("underlying types are those of the interface files") {
    static_assert(std::is_same_v<std::underlying_type_t<V1_3::OperandType>, int32_t>);
    static_assert(std::is_same_v<std::underlying_type_t<V1_2::OperandTypeRange>, uint32_t>);
    static_assert(std::is_same_v<std::underlying_type_t<V1_2::Constant>, uint32_t>);
    static_assert(std::is_same_v<std::underlying_type_t<V1_3::LoopTimeoutDurationNs>, uint64_t>);
    static_assert(
            std::is_same_v<std::underlying_type_t<V1_2::Model::ExtensionTypeEncoding>, uint8_t>);
    static_assert(static_cast<uint64_t>(V1_3::LoopTimeoutDurationNs::MAXIMUM) == 15'000'000'000);
    static_assert(static_cast<int>(V1_2::DeviceType::ACCELERATOR) == 4);
    static_assert(static_cast<uint32_t>(V1_3::OperandTypeRange::FUNDAMENTAL_MAX) == 15);
    static_assert(static_cast<uint32_t>(V1_3::OperationTypeRange::FUNDAMENTAL_MAX) == 101);
}

TEST_CASE("the interfaces carry their descriptors") {
    CHECK(V1_0::IDevice::descriptor == std::string("android.hardware.neuralnetworks@1.0::IDevice"));
    CHECK(V1_3::IDevice::descriptor == std::string("android.hardware.neuralnetworks@1.3::IDevice"));
    CHECK(V1_3::IFencedExecutionCallback::descriptor ==
          std::string("android.hardware.neuralnetworks@1.3::IFencedExecutionCallback"));
    CHECK(V1_2::IBurstContext::descriptor ==
          std::string("android.hardware.neuralnetworks@1.2::IBurstContext"));
}

TEST_SUITE_END();

}  // namespace
