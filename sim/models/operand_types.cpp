// SPDX-License-Identifier: Apache-2.0
#include "sim/models/operand_types.h"

#include <limits>

namespace vnpu::sim {

namespace {

std::uint64_t saturatingProduct(std::uint64_t a, std::uint64_t b) {
    if (b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b) {
        return std::numeric_limits<std::uint64_t>::max();
    }
    return a * b;
}

template <typename E>
std::optional<E> enumeratorNamed(std::string_view name) {
    for (const auto& enumerator : enumeratorsOf(E())) {
        if (name == enumerator.name) {
            return enumerator.value;
        }
    }
    return std::nullopt;
}

}  // namespace

std::uint32_t elementBytes(nn::OperandType type) {
    using Type = nn::OperandType;
    switch (type) {
        case Type::FLOAT32:
        case Type::INT32:
        case Type::UINT32:
        case Type::TENSOR_FLOAT32:
        case Type::TENSOR_INT32:
            return 4;
        case Type::FLOAT16:
        case Type::TENSOR_FLOAT16:
        case Type::TENSOR_QUANT16_SYMM:
        case Type::TENSOR_QUANT16_ASYMM:
            return 2;
        case Type::BOOL:
        case Type::TENSOR_BOOL8:
        case Type::TENSOR_QUANT8_ASYMM:
        case Type::TENSOR_QUANT8_SYMM:
        case Type::TENSOR_QUANT8_SYMM_PER_CHANNEL:
        case Type::TENSOR_QUANT8_ASYMM_SIGNED:
            return 1;
        case Type::SUBGRAPH:
        case Type::OEM:
        case Type::TENSOR_OEM_BYTE:
            return 0;
    }
    return 0;
}

bool isTensor(nn::OperandType type) {
    using Type = nn::OperandType;
    return type != Type::FLOAT32 && type != Type::INT32 && type != Type::UINT32 &&
           type != Type::FLOAT16 && type != Type::BOOL && type != Type::SUBGRAPH &&
           type != Type::OEM;
}

bool isQuant8(nn::OperandType type) {
    using Type = nn::OperandType;
    return type == Type::TENSOR_QUANT8_ASYMM || type == Type::TENSOR_QUANT8_SYMM ||
           type == Type::TENSOR_QUANT8_SYMM_PER_CHANNEL || type == Type::TENSOR_QUANT8_ASYMM_SIGNED;
}

std::uint64_t elementCount(std::span<const std::uint32_t> dimensions) {
    std::uint64_t count = 1;
    for (const std::uint32_t dimension : dimensions) {
        if (dimension == 0) {
            return 0;
        }
        count = saturatingProduct(count, dimension);
    }
    return count;
}

std::uint64_t operandBytes(nn::OperandType type, std::span<const std::uint32_t> dimensions) {
    return saturatingProduct(elementCount(dimensions), elementBytes(type));
}

std::optional<nn::OperandType> operandTypeOf(std::string_view name) {
    return enumeratorNamed<nn::OperandType>(name);
}

std::optional<nn::OperationType> operationTypeOf(std::string_view name) {
    return enumeratorNamed<nn::OperationType>(name);
}

std::optional<nn::OperandLifeTime> operandLifeTimeOf(std::string_view name) {
    return enumeratorNamed<nn::OperandLifeTime>(name);
}

std::string nameOf(nn::OperandType type) {
    return nn::toString(type);
}

std::string nameOf(nn::OperationType type) {
    return nn::toString(type);
}

std::string nameOf(nn::ErrorStatus status) {
    return nn::toString(status);
}

std::string describeDimensions(std::span<const std::uint32_t> dimensions) {
    if (dimensions.empty()) {
        return "scalar";
    }
    std::string text = std::to_string(dimensions[0]);
    for (const std::uint32_t dimension : dimensions.subspan(1)) {
        text += 'x';
        text += std::to_string(dimension);
    }
    return text;
}

}  // namespace vnpu::sim
