// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/operations/probe_operands.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "driver/validation/operation_table.h"
#include "hw_model/regs/check.h"
#include "hw_model/regs/operand_notation.h"

namespace vnpu::sim {

namespace {

using Index = ModelBuilder::Index;
using Type = nn::OperandType;

constexpr float kScale = 0.5F;     // chosen: any scale does
constexpr float kEighth = 0.125F;  // source: NNAPI HAL 1.3 types, 16-bit coordinates

bool isSixteenBit(Type type) {
    return type == Type::TENSOR_QUANT16_SYMM || type == Type::TENSOR_QUANT16_ASYMM;
}

OperandSpec specOf(const hw::CallWord& word, const ProbeTypes& types) {
    OperandSpec spec{.type = typeOfLetter(word.letter, types), .dimensions = word.dimensions};
    const bool isPerChannel = spec.type == Type::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    if (isPerChannel) {
        // The channels of a depthwise filter are its last dimension; its first dimension is 1.
        const bool isLast = word.dimensions.front() == 1;
        spec.channelDimension = isLast ? static_cast<std::uint32_t>(word.dimensions.size() - 1) : 0;
        spec.channelScales.assign(word.dimensions[spec.channelDimension], kScale);
    } else if (isQuant8(spec.type)) {
        spec.scale = kScale;
    } else if (isSixteenBit(spec.type)) {
        spec.scale = kEighth;
    } else if (word.letter == 'B' && spec.type == Type::TENSOR_INT32) {
        const bool hasScales = types.other == Type::TENSOR_QUANT8_SYMM_PER_CHANNEL;
        spec.scale = hasScales ? 0.0F : kScale * kScale;
    }
    const bool isQuantized = spec.scale != 0.0F || spec.type == Type::TENSOR_INT32;
    if (word.scale != 0.0F && isQuantized) {
        spec.scale = word.scale;
    }
    if (spec.type == Type::TENSOR_QUANT8_ASYMM) {
        spec.zeroPoint = word.isLowest ? 0 : word.zeroPoint.value_or(128);
    } else if (spec.type == Type::TENSOR_QUANT8_ASYMM_SIGNED) {
        spec.zeroPoint = word.isLowest ? -128 : word.zeroPoint.value_or(0);
    }
    return spec;
}

/// The bits of a half with that value, which must be 0 or a normal number; excess bits are cut off.
std::uint16_t halfOf(float value) {
    constexpr std::uint32_t kBiasDifference = 127 - 15;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = (bits & 0x7FFFFFFFU) >> 13;
    const std::uint32_t sign = bits >> 16 & 0x8000U;
    return static_cast<std::uint16_t>(value == 0.0F ? 0
                                                    : sign | (magnitude - (kBiasDifference << 10)));
}

void appendValue(std::vector<std::byte>& bytes, Type type, float value) {
    const auto integer = static_cast<std::int32_t>(value);
    std::uint32_t word = std::bit_cast<std::uint32_t>(integer);
    if (type == Type::FLOAT32 || type == Type::TENSOR_FLOAT32) {
        word = std::bit_cast<std::uint32_t>(value);
    } else if (type == Type::FLOAT16 || type == Type::TENSOR_FLOAT16) {
        word = halfOf(value);
    }
    for (std::uint32_t i = 0; i < elementBytes(type); ++i) {
        bytes.push_back(static_cast<std::byte>(word >> (8 * i) & 0xFFU));
    }
}

Index addConstant(ModelBuilder& builder, const OperandSpec& spec,
                  const std::vector<float>& values) {
    const std::uint64_t elements = elementCount(spec.dimensions);
    std::vector<std::byte> bytes;
    for (std::uint64_t i = 0; i < elements; ++i) {
        appendValue(bytes, spec.type, values[values.size() == 1 ? 0 : i]);
    }
    return builder.addConstant(spec, bytes);
}

void addInput(ModelBuilder& builder, const hw::CallWord& word, const ProbeTypes& types,
              std::vector<Index>& operands) {
    const OperandSpec spec = specOf(word, types);
    if (word.isOmitted) {
        operands.push_back(builder.addOmitted(spec));
    } else if (spec.type == Type::SUBGRAPH) {
        for (const float value : word.values) {
            operands.push_back(builder.addSubgraph(static_cast<std::uint32_t>(value)));
        }
    } else if (word.values.empty()) {
        operands.push_back(builder.addInput(spec));
    } else if (isTensor(spec.type)) {
        operands.push_back(addConstant(builder, spec, word.values));
    } else {
        for (const float value : word.values) {
            operands.push_back(addConstant(builder, spec, {value}));
        }
    }
}

/// The words of a call, each repeated by its count.
std::vector<hw::CallWord> operandsOf(std::string_view row) {
    std::vector<hw::CallWord> words;
    for (const hw::CallWord& word : hw::parseCall(row)) {
        words.insert(words.end(), word.count, word);
    }
    return words;
}

}  // namespace

nn::OperandType typeOfLetter(char letter, const ProbeTypes& types) {
    const Type main = types.main.value_or(Type::TENSOR_FLOAT32);
    if (letter == 'U') {
        return types.other.value_or(main);
    }
    const hw::TypeSet set = hw::typesOfLetter(letter, driver::typeBit(main));
    VNPU_CHECK(set != 0, "every letter of a row stands for types");
    for (const auto type : {types.other, types.main}) {
        if (type && (driver::typeBit(*type) & set) != 0) {
            return *type;
        }
    }
    return static_cast<Type>(std::countr_zero(set));
}

std::vector<ModelBuilder::Index> addProbeInputs(ModelBuilder& builder, const ProbeTypes& types,
                                                std::string_view row) {
    std::vector<Index> operands;
    for (const hw::CallWord& word : operandsOf(row)) {
        addInput(builder, word, types, operands);
    }
    return operands;
}

std::vector<ModelBuilder::Index> addProbeOutputs(ModelBuilder& builder, const ProbeTypes& types,
                                                 std::string_view row) {
    std::vector<Index> operands;
    for (const hw::CallWord& word : operandsOf(row)) {
        operands.push_back(builder.addTemporary(specOf(word, types)));
    }
    return operands;
}

}  // namespace vnpu::sim
