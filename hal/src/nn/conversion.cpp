// SPDX-License-Identifier: Apache-2.0
#include <vnpu/hal/conversion.h>

#include <type_traits>

namespace vnpu::hal::details {

using android::hardware::hidl_memory;
using android::hardware::hidl_vec;

namespace {

hidl_memory take(const hidl_memory& memory, Handles handles) {
    return handles == Handles::kDuplicate
                   ? memory
                   : hidl_memory(memory.name(), memory.handle(), memory.size());
}

template <typename Pool>
hidl_vec<Pool> takeAll(const hidl_vec<Pool>& pools, Handles handles) {
    hidl_vec<Pool> taken(pools.size());
    for (size_t i = 0; i < pools.size(); ++i) {
        taken[i] = take(pools[i], handles);
    }
    return taken;
}

/// Numbers keep their meaning in every version, also numbers that a version does not know.
template <typename To, typename From>
To renumber(From number) {
    return static_cast<To>(number);
}

template <typename To, typename From>
To convertOperand(const From& from) {
    To to;
    to.type = renumber<decltype(to.type)>(from.type);
    to.dimensions = from.dimensions;
    to.numberOfConsumers = from.numberOfConsumers;
    to.scale = from.scale;
    to.zeroPoint = from.zeroPoint;
    to.lifetime = renumber<decltype(to.lifetime)>(from.lifetime);
    to.location = from.location;
    constexpr bool kHaveExtraParams =
            !std::is_same_v<To, nn::V1_0::Operand> && !std::is_same_v<From, nn::V1_0::Operand>;
    if constexpr (kHaveExtraParams) {
        to.extraParams = from.extraParams;
    }
    return to;
}

template <typename To, typename From>
To convertOperation(const From& from) {
    return {.type = renumber<decltype(To::type)>(from.type),
            .inputs = from.inputs,
            .outputs = from.outputs};
}

/// Converts operands, operations and lists between a model of an earlier version and a 1.3
/// subgraph.
template <typename To, typename From>
void convertGraph(const From& from, To& to) {
    to.operands.resize(from.operands.size());
    for (size_t i = 0; i < from.operands.size(); ++i) {
        using Operand = std::decay_t<decltype(to.operands[i])>;
        to.operands[i] = convertOperand<Operand>(from.operands[i]);
    }
    to.operations.resize(from.operations.size());
    for (size_t i = 0; i < from.operations.size(); ++i) {
        using Operation = std::decay_t<decltype(to.operations[i])>;
        to.operations[i] = convertOperation<Operation>(from.operations[i]);
    }
    to.inputIndexes = from.inputIndexes;
    to.outputIndexes = from.outputIndexes;
}

/// The fields that the models of all versions have.
template <typename Earlier>
nn::V1_3::Model convertCommon(const Earlier& model, Handles handles) {
    nn::V1_3::Model latest;
    convertGraph(model, latest.main);
    latest.operandValues = model.operandValues;
    latest.pools = takeAll(model.pools, handles);
    return latest;
}

template <typename Earlier>
void convertCommon(nn::V1_3::Model&& model, Earlier& result) {
    convertGraph(model.main, result);
    result.operandValues = std::move(model.operandValues);
    result.pools = std::move(model.pools);
}

}  // namespace

nn::V1_3::Model toLatest(const nn::V1_0::Model& model, Handles handles) {
    return convertCommon(model, handles);
}

nn::V1_3::Model toLatest(const nn::V1_1::Model& model, Handles handles) {
    nn::V1_3::Model latest = convertCommon(model, handles);
    latest.relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
    return latest;
}

nn::V1_3::Model toLatest(const nn::V1_2::Model& model, Handles handles) {
    nn::V1_3::Model latest = convertCommon(model, handles);
    latest.relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
    latest.extensionNameToPrefix = model.extensionNameToPrefix;
    return latest;
}

nn::V1_3::Model toLatest(const nn::V1_3::Model& model, Handles handles) {
    return {.main = model.main,
            .referenced = model.referenced,
            .operandValues = model.operandValues,
            .pools = takeAll(model.pools, handles),
            .relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16,
            .extensionNameToPrefix = model.extensionNameToPrefix};
}

void fromLatest(nn::V1_3::Model&& model, nn::V1_0::Model& result) {
    convertCommon(std::move(model), result);
}

void fromLatest(nn::V1_3::Model&& model, nn::V1_1::Model& result) {
    result.relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
    convertCommon(std::move(model), result);
}

void fromLatest(nn::V1_3::Model&& model, nn::V1_2::Model& result) {
    result.relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
    result.extensionNameToPrefix = std::move(model.extensionNameToPrefix);
    convertCommon(std::move(model), result);
}

nn::V1_3::Request toLatest(const nn::V1_0::Request& request, Handles handles) {
    nn::V1_3::Request latest{.inputs = request.inputs, .outputs = request.outputs, .pools = {}};
    latest.pools.resize(request.pools.size());
    for (size_t i = 0; i < request.pools.size(); ++i) {
        latest.pools[i].hidlMemory(take(request.pools[i], handles));
    }
    return latest;
}

nn::V1_3::Request toLatest(const nn::V1_3::Request& request, Handles handles) {
    nn::V1_3::Request copy{.inputs = request.inputs, .outputs = request.outputs, .pools = {}};
    copy.pools.resize(request.pools.size());
    for (size_t i = 0; i < request.pools.size(); ++i) {
        using Kind = nn::V1_3::Request::MemoryPool::hidl_discriminator;
        if (request.pools[i].getDiscriminator() == Kind::token) {
            copy.pools[i].token(request.pools[i].token());
        } else {
            copy.pools[i].hidlMemory(take(request.pools[i].hidlMemory(), handles));
        }
    }
    return copy;
}

void fromLatest(nn::V1_3::Request&& request, nn::V1_0::Request& result) {
    result.inputs = std::move(request.inputs);
    result.outputs = std::move(request.outputs);
    result.pools.resize(request.pools.size());
    for (size_t i = 0; i < request.pools.size(); ++i) {
        using Kind = nn::V1_3::Request::MemoryPool::hidl_discriminator;
        if (request.pools[i].getDiscriminator() == Kind::hidlMemory) {
            result.pools[i] = std::move(request.pools[i].hidlMemory());
        }
    }
}

nn::V1_3::Operand toLatest(const nn::V1_0::Operand& operand, Handles /*handles*/) {
    return convertOperand<nn::V1_3::Operand>(operand);
}

nn::V1_3::Operand toLatest(const nn::V1_2::Operand& operand, Handles /*handles*/) {
    return convertOperand<nn::V1_3::Operand>(operand);
}

void fromLatest(nn::V1_3::Operand&& operand, nn::V1_0::Operand& result) {
    result = convertOperand<nn::V1_0::Operand>(operand);
}

void fromLatest(nn::V1_3::Operand&& operand, nn::V1_2::Operand& result) {
    result = convertOperand<nn::V1_2::Operand>(operand);
}

nn::V1_3::OperandLifeTime toLatest(nn::V1_0::OperandLifeTime lifetime, Handles /*handles*/) {
    return renumber<nn::V1_3::OperandLifeTime>(lifetime);
}

void fromLatest(nn::V1_3::OperandLifeTime lifetime, nn::V1_0::OperandLifeTime& result) {
    result = renumber<nn::V1_0::OperandLifeTime>(lifetime);
}

nn::V1_3::ErrorStatus toLatest(nn::V1_0::ErrorStatus status, Handles /*handles*/) {
    return renumber<nn::V1_3::ErrorStatus>(status);
}

void fromLatest(nn::V1_3::ErrorStatus status, nn::V1_0::ErrorStatus& result) {
    switch (status) {
        case nn::V1_3::ErrorStatus::NONE:
        case nn::V1_3::ErrorStatus::DEVICE_UNAVAILABLE:
        case nn::V1_3::ErrorStatus::GENERAL_FAILURE:
        case nn::V1_3::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE:
        case nn::V1_3::ErrorStatus::INVALID_ARGUMENT:
            result = renumber<nn::V1_0::ErrorStatus>(status);
            return;
        default:
            result = nn::V1_0::ErrorStatus::GENERAL_FAILURE;
    }
}

}  // namespace vnpu::hal::details
