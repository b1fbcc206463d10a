// SPDX-License-Identifier: Apache-2.0
#include "driver/runtime/hal_conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "driver/validation/model_validation.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::hardware::hidl_memory;

namespace {

constexpr std::int32_t kHighestBaseType = 0xFFFF;  // above: extension prefix and type

/// Whether a type is one of its enumeration's, or an extension's in a version that has extensions.
template <typename Type>
bool isKnown(Type type, bool hasExtensions) {
    const android::hardware::hidl_enum_range<Type> known;
    return std::find(known.begin(), known.end(), type) != known.end() ||
           (hasExtensions && static_cast<std::int32_t>(type) > kHighestBaseType);
}

template <typename Model>
Result<void> checkTypes(const Model& model) {
    constexpr bool kHasExtensions = std::is_same_v<Model, nn::V1_2::Model>;
    for (std::size_t i = 0; i < model.operands.size(); ++i) {
        const auto& operand = model.operands[i];
        if (!isKnown(operand.type, kHasExtensions) || !isKnown(operand.lifetime, false)) {
            return invalidArgument(fmt::format(
                    "operand {} has type {} and lifetime {}, unknown to this version of the HAL", i,
                    static_cast<std::int32_t>(operand.type),
                    static_cast<std::int32_t>(operand.lifetime)));
        }
    }
    for (std::size_t i = 0; i < model.operations.size(); ++i) {
        if (!isKnown(model.operations[i].type, kHasExtensions)) {
            return invalidArgument(
                    fmt::format("operation {} has type {}, unknown to this version of the HAL", i,
                                static_cast<std::int32_t>(model.operations[i].type)));
        }
    }
    return {};
}

hidl_memory borrow(const hidl_memory& memory) {
    return hidl_memory(memory.name(), memory.handle(), memory.size());
}

template <typename Operand>
nn::V1_3::Operand convert(const Operand& operand) {
    nn::V1_3::Operand result;
    // Numbers mean the same in every version, those that a version does not know included.
    result.type = static_cast<nn::V1_3::OperandType>(operand.type);
    result.dimensions = operand.dimensions;
    result.numberOfConsumers = operand.numberOfConsumers;
    result.scale = operand.scale;
    result.zeroPoint = operand.zeroPoint;
    result.lifetime = static_cast<nn::V1_3::OperandLifeTime>(operand.lifetime);
    result.location = operand.location;
    if constexpr (std::is_same_v<Operand, nn::V1_2::Operand>) {
        result.extraParams = operand.extraParams;
    }
    return result;
}

template <typename Model>
nn::V1_3::Model convertModel(const Model& model) {
    nn::V1_3::Model result;
    result.main.operands.resize(model.operands.size());
    for (std::size_t i = 0; i < model.operands.size(); ++i) {
        result.main.operands[i] = convert(model.operands[i]);
    }
    result.main.operations.resize(model.operations.size());
    for (std::size_t i = 0; i < model.operations.size(); ++i) {
        result.main.operations[i] = {
                .type = static_cast<nn::V1_3::OperationType>(model.operations[i].type),
                .inputs = model.operations[i].inputs,
                .outputs = model.operations[i].outputs};
    }
    result.main.inputIndexes = model.inputIndexes;
    result.main.outputIndexes = model.outputIndexes;
    result.operandValues = model.operandValues;
    result.pools.resize(model.pools.size());
    for (std::size_t i = 0; i < model.pools.size(); ++i) {
        result.pools[i] = borrow(model.pools[i]);
    }
    return result;
}

}  // namespace

nn::V1_3::Request borrowRequest(const nn::V1_0::Request& request) {
    nn::V1_3::Request result;
    result.inputs = request.inputs;
    result.outputs = request.outputs;
    result.pools.resize(request.pools.size());
    for (std::size_t i = 0; i < request.pools.size(); ++i) {
        result.pools[i].hidlMemory(borrow(request.pools[i]));
    }
    return result;
}

Result<nn::V1_3::Model> borrowModel(const nn::V1_0::Model& model) {
    VNPU_TRY(checkTypes(model));
    nn::V1_3::Model result = convertModel(model);
    VNPU_TRY(validateModel(result, HalVersion::k10));
    return result;
}

Result<nn::V1_3::Model> borrowModel(const nn::V1_1::Model& model) {
    VNPU_TRY(checkTypes(model));
    nn::V1_3::Model result = convertModel(model);
    result.relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
    VNPU_TRY(validateModel(result, HalVersion::k11));
    return result;
}

Result<nn::V1_3::Model> borrowModel(const nn::V1_2::Model& model) {
    VNPU_TRY(checkTypes(model));
    nn::V1_3::Model result = convertModel(model);
    result.relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
    result.extensionNameToPrefix = model.extensionNameToPrefix;
    VNPU_TRY(validateModel(result, HalVersion::k12));
    return result;
}

}  // namespace vnpu::driver
