// SPDX-License-Identifier: Apache-2.0
#include "driver/hal/capabilities.h"

#include <algorithm>
#include <vector>

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using nn::V1_3::Capabilities;
using nn::V1_3::OperandType;

namespace {

constexpr nn::V1_0::PerformanceInfo kFloat{
        .execTime = 0.5F, .powerUsage = 0.5F};  // chosen: better than the processor
constexpr nn::V1_0::PerformanceInfo kQuantized{
        .execTime = 0.2F, .powerUsage = 0.2F};  // chosen: the device's main purpose

bool isQuantized(OperandType type) {
    return type == OperandType::TENSOR_QUANT8_ASYMM || type == OperandType::TENSOR_QUANT8_SYMM ||
           type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL ||
           type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
}

}  // namespace

Capabilities capabilities() {
    // One entry for each operand type but SUBGRAPH, by rising type.
    std::vector<Capabilities::OperandPerformance> operands;
    for (const OperandType type : android::hardware::hidl_enum_range<OperandType>{}) {
        if (type != OperandType::SUBGRAPH) {
            operands.push_back({type, isQuantized(type) ? kQuantized : kFloat});
        }
    }
    std::ranges::sort(operands, {}, &Capabilities::OperandPerformance::type);
    return {.relaxedFloat32toFloat16PerformanceScalar = kFloat,
            .relaxedFloat32toFloat16PerformanceTensor = kFloat,
            .operandPerformance = operands,
            .ifPerformance = kFloat,
            .whilePerformance = kFloat};
}

}  // namespace vnpu::driver
