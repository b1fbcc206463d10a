// SPDX-License-Identifier: Apache-2.0
#include "driver/runtime/capabilities.h"

#include <algorithm>
#include <vector>

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;

namespace {

constexpr nn::V1_0::PerformanceInfo kFloat{
        .execTime = 0.5F, .powerUsage = 0.5F};  // chosen: better than the processor
constexpr nn::V1_0::PerformanceInfo kQuantised{
        .execTime = 0.2F, .powerUsage = 0.2F};  // chosen: what the device is made for

template <typename Type>
bool isQuantised(Type type) {
    return type == Type::TENSOR_QUANT8_ASYMM || type == Type::TENSOR_QUANT8_SYMM ||
           type == Type::TENSOR_QUANT8_SYMM_PER_CHANNEL ||
           type == static_cast<Type>(nn::V1_3::OperandType::TENSOR_QUANT8_ASYMM_SIGNED);
}

/// One entry for each operand type but SUBGRAPH, by rising type.
template <typename Performance>
android::hardware::hidl_vec<Performance> operandPerformance() {
    using Type = decltype(Performance::type);
    std::vector<Performance> all;
    for (const Type type : android::hardware::hidl_enum_range<Type>{}) {
        if (type != static_cast<Type>(nn::V1_3::OperandType::SUBGRAPH)) {
            all.push_back({type, isQuantised(type) ? kQuantised : kFloat});
        }
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.type < b.type; });
    return all;
}

}  // namespace

nn::V1_0::Capabilities capabilities_1_0() {
    return {.float32Performance = kFloat, .quantized8Performance = kQuantised};
}

nn::V1_1::Capabilities capabilities_1_1() {
    return {.float32Performance = kFloat,
            .quantized8Performance = kQuantised,
            .relaxedFloat32toFloat16Performance = kFloat};
}

nn::V1_2::Capabilities capabilities_1_2() {
    return {.relaxedFloat32toFloat16PerformanceScalar = kFloat,
            .relaxedFloat32toFloat16PerformanceTensor = kFloat,
            .operandPerformance = operandPerformance<nn::V1_2::Capabilities::OperandPerformance>()};
}

nn::V1_3::Capabilities capabilities_1_3() {
    return {.relaxedFloat32toFloat16PerformanceScalar = kFloat,
            .relaxedFloat32toFloat16PerformanceTensor = kFloat,
            .operandPerformance = operandPerformance<nn::V1_3::Capabilities::OperandPerformance>(),
            .ifPerformance = kFloat,
            .whilePerformance = kFloat};
}

}  // namespace vnpu::driver
