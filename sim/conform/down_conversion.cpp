// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/down_conversion.h"

#include <hidl/HidlSupport.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace vnpu::sim {

namespace {

/// The enumerator of the same number. Numbers are never given a second meaning.
template <typename Earlier, typename Enum>
std::optional<Earlier> toEarlier(Enum value) {
    const android::hardware::hidl_enum_range<Earlier> known;
    const auto found = std::find(known.begin(), known.end(), static_cast<Earlier>(value));
    return found == known.end() ? std::nullopt : std::optional(*found);
}

template <typename Earlier>
std::optional<Earlier> toOperand(const nn::Operand& operand) {
    using Extra = nn12::Operand::ExtraParams;
    Earlier result;
    const auto type = toEarlier<decltype(result.type)>(operand.type);
    const auto lifetime = toEarlier<decltype(result.lifetime)>(operand.lifetime);
    if (!type || !lifetime) {
        return std::nullopt;
    }
    result.type = *type;
    result.dimensions = operand.dimensions;
    result.numberOfConsumers = operand.numberOfConsumers;
    result.scale = operand.scale;
    result.zeroPoint = operand.zeroPoint;
    result.lifetime = *lifetime;
    result.location = operand.location;
    if constexpr (std::is_same_v<Earlier, nn12::Operand>) {
        result.extraParams = operand.extraParams;
    } else if (operand.extraParams.getDiscriminator() != Extra::hidl_discriminator::none) {
        return std::nullopt;
    }
    return result;
}

template <typename Earlier>
std::optional<Earlier> toOperation(const nn::Operation& operation) {
    Earlier result;
    const auto type = toEarlier<decltype(result.type)>(operation.type);
    if (!type) {
        return std::nullopt;
    }
    result.type = *type;
    result.inputs = operation.inputs;
    result.outputs = operation.outputs;
    return result;
}

/// What a model has in every version.
template <typename Earlier>
std::optional<Earlier> toModel(const nn::Model& model) {
    if (model.referenced.size() != 0) {
        return std::nullopt;
    }
    Earlier result;
    result.operands.resize(model.main.operands.size());
    for (std::size_t i = 0; i < result.operands.size(); ++i) {
        auto operand =
                toOperand<std::decay_t<decltype(result.operands[i])>>(model.main.operands[i]);
        if (!operand) {
            return std::nullopt;
        }
        result.operands[i] = std::move(*operand);
    }
    result.operations.resize(model.main.operations.size());
    for (std::size_t i = 0; i < result.operations.size(); ++i) {
        auto operation =
                toOperation<std::decay_t<decltype(result.operations[i])>>(model.main.operations[i]);
        if (!operation) {
            return std::nullopt;
        }
        result.operations[i] = std::move(*operation);
    }
    result.inputIndexes = model.main.inputIndexes;
    result.outputIndexes = model.main.outputIndexes;
    result.operandValues = model.operandValues;
    result.pools = model.pools;
    return result;
}

}  // namespace

std::optional<nn10::Model> toModel10(const nn::Model& model) {
    if (model.relaxComputationFloat32toFloat16 || model.extensionNameToPrefix.size() != 0) {
        return std::nullopt;
    }
    return toModel<nn10::Model>(model);
}

std::optional<nn11::Model> toModel11(const nn::Model& model) {
    if (model.extensionNameToPrefix.size() != 0) {
        return std::nullopt;
    }
    auto result = toModel<nn11::Model>(model);
    if (result) {
        result->relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
    }
    return result;
}

std::optional<nn12::Model> toModel12(const nn::Model& model) {
    auto result = toModel<nn12::Model>(model);
    if (result) {
        result->relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
        result->extensionNameToPrefix = model.extensionNameToPrefix;
    }
    return result;
}

std::optional<nn10::Request> toRequest10(const nn::Request& request) {
    nn10::Request result;
    result.inputs = request.inputs;
    result.outputs = request.outputs;
    result.pools.resize(request.pools.size());
    for (std::size_t i = 0; i < request.pools.size(); ++i) {
        const nn::Request::MemoryPool& pool = request.pools[i];
        if (pool.getDiscriminator() != nn::Request::MemoryPool::hidl_discriminator::hidlMemory) {
            return std::nullopt;
        }
        result.pools[i] = pool.hidlMemory();
    }
    return result;
}

}  // namespace vnpu::sim
