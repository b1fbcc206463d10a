// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/operand_rules.h"

#include <algorithm>
#include <cmath>

#include "driver/validation/broken_rule.h"
#include "driver/validation/operand_types.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using nn::V1_3::Model;
using nn::V1_3::Operand;
using nn::V1_3::OperandLifeTime;
using nn::V1_3::OperandType;
using ExtraParams = nn::V1_2::Operand::ExtraParams;

namespace {

bool isConstant(OperandLifeTime lifetime) {
    return lifetime == OperandLifeTime::CONSTANT_COPY ||
           lifetime == OperandLifeTime::CONSTANT_REFERENCE;
}

Result<void> checkRank(const Operand& operand, const OperandTypeFacts& facts) {
    if (facts.isScalar && operand.dimensions.size() != 0) {
        return broken("{} is a scalar, but has {} dimensions", toString(operand.type),
                      operand.dimensions.size());
    }
    if (!facts.isScalar && isConstant(operand.lifetime) && operand.dimensions.size() == 0) {
        return broken("{} is a constant of unknown rank", toString(operand.type));
    }
    return {};
}

Result<void> checkScale(const Operand& operand, OperandTypeFacts::Scale rule) {
    using Scale = OperandTypeFacts::Scale;
    const float scale = operand.scale;
    const bool isKept = rule == Scale::kAny || (rule == Scale::kZero && scale == 0.0F) ||
                        (rule == Scale::kNotNegative && std::isfinite(scale) && scale >= 0.0F) ||
                        (rule == Scale::kPositive && std::isfinite(scale) && scale > 0.0F);
    if (!isKept) {
        const char* expected = rule == Scale::kZero          ? "0"
                               : rule == Scale::kNotNegative ? "at least 0"
                                                             : "more than 0";
        return broken("scale of {} is {}, expected {}", toString(operand.type), scale, expected);
    }
    return {};
}

Result<void> checkZeroPoint(const Operand& operand, const OperandTypeFacts& facts) {
    if (operand.zeroPoint < facts.lowestZeroPoint || operand.zeroPoint > facts.highestZeroPoint) {
        return broken("zero point of {} is {}, expected {} to {}", toString(operand.type),
                      operand.zeroPoint, facts.lowestZeroPoint, facts.highestZeroPoint);
    }
    return {};
}

Result<void> checkExtraParams(const Operand& operand) {
    if (operand.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        return checkChannelScales(operand);
    }
    using Kind = ExtraParams::hidl_discriminator;
    const Kind kind = operand.extraParams.getDiscriminator();
    if (kind != Kind::none && !(kind == Kind::extension && isExtension(operand.type))) {
        return broken("extra parameters of kind {} on a {}", static_cast<int>(kind),
                      toString(operand.type));
    }
    return {};
}

Result<void> checkRange(const nn::V1_0::DataLocation& location, std::uint64_t available,
                        const char* where) {
    const std::uint64_t end = std::uint64_t{location.offset} + location.length;
    if (end > available) {
        return broken("value lies at {} to {} of {} with {} bytes", location.offset, end, where,
                      available);
    }
    return {};
}

Result<void> checkConstantLength(const Operand& operand) {
    if (isExtension(operand.type) || operand.type == OperandType::OEM ||
        operand.type == OperandType::TENSOR_OEM_BYTE) {
        return {};
    }
    const auto expected = sizeOfData(operand.type, operand.dimensions);
    if (!expected || operand.location.length != *expected) {
        return broken(
                "constant {} has {} bytes, expected {}", toString(operand.type),
                operand.location.length,
                expected ? std::to_string(*expected) : "known dimensions and less than 4 GiB");
    }
    return {};
}

Result<void> checkConstant(const Operand& operand, const Model& model) {
    const nn::V1_0::DataLocation& location = operand.location;
    if (operand.lifetime == OperandLifeTime::CONSTANT_COPY) {
        if (location.poolIndex != 0) {
            return broken("CONSTANT_COPY names pool {}, expected 0", location.poolIndex);
        }
        VNPU_TRY(checkRange(location, model.operandValues.size(), "operandValues"));
    } else {
        if (location.poolIndex >= model.pools.size()) {
            return broken("CONSTANT_REFERENCE names pool {} of {}", location.poolIndex,
                          model.pools.size());
        }
        VNPU_TRY(checkRange(location, model.pools[location.poolIndex].size(), "its pool"));
    }
    return checkConstantLength(operand);
}

Result<void> checkSubgraphReference(const Operand& operand, const Model& model) {
    const nn::V1_0::DataLocation& location = operand.location;
    if (location.poolIndex != 0 || location.length != 0 ||
        location.offset >= model.referenced.size()) {
        return broken("SUBGRAPH names subgraph {} of {} (pool {}, length {})", location.offset,
                      model.referenced.size(), location.poolIndex, location.length);
    }
    return {};
}

Result<void> checkLocation(const Operand& operand, const Model& model) {
    const bool isSubgraph = operand.lifetime == OperandLifeTime::SUBGRAPH;
    if (isSubgraph != (operand.type == OperandType::SUBGRAPH)) {
        return broken("type {} does not go with lifetime {}", toString(operand.type),
                      toString(operand.lifetime));
    }
    switch (operand.lifetime) {
        case OperandLifeTime::CONSTANT_COPY:
        case OperandLifeTime::CONSTANT_REFERENCE:
            return checkConstant(operand, model);
        case OperandLifeTime::SUBGRAPH:
            return checkSubgraphReference(operand, model);
        case OperandLifeTime::TEMPORARY_VARIABLE:
        case OperandLifeTime::SUBGRAPH_INPUT:
        case OperandLifeTime::SUBGRAPH_OUTPUT:
        case OperandLifeTime::NO_VALUE: {
            const nn::V1_0::DataLocation& location = operand.location;
            if (location.poolIndex != 0 || location.offset != 0 || location.length != 0) {
                return broken("{} has a location (pool {}, offset {}, length {})",
                              toString(operand.lifetime), location.poolIndex, location.offset,
                              location.length);
            }
            return {};
        }
    }
    return broken("lifetime is {}", static_cast<std::int32_t>(operand.lifetime));
}

Result<void> checkExtensionOperand(const Operand& operand, const Model& model) {
    const std::uint16_t prefix = extensionPrefix(operand.type);
    if (!hasExtension(model, prefix)) {
        return broken("type {:#x} has prefix {}, which no extension has",
                      static_cast<std::uint32_t>(operand.type), prefix);
    }
    if (operand.scale != 0.0F || operand.zeroPoint != 0) {
        return broken("type {:#x} of an extension has scale {} and zero point {}, expected 0 and 0",
                      static_cast<std::uint32_t>(operand.type), operand.scale, operand.zeroPoint);
    }
    return {};
}

}  // namespace

Result<void> checkChannelScales(const Operand& operand) {
    if (operand.extraParams.getDiscriminator() != ExtraParams::hidl_discriminator::channelQuant) {
        return broken("per-channel quantized operand without scales of its channels");
    }
    const auto& quant = operand.extraParams.channelQuant();
    if (quant.channelDim >= operand.dimensions.size()) {
        return broken("channel dimension is {} of a rank of {}", quant.channelDim,
                      operand.dimensions.size());
    }
    const std::uint32_t channels = operand.dimensions[quant.channelDim];
    if (channels == 0 || quant.scales.size() != channels) {
        return broken("{} scales for {} channels", quant.scales.size(), channels);
    }
    const auto bad = std::find_if(quant.scales.begin(), quant.scales.end(), [](float scale) {
        return !std::isfinite(scale) || scale <= 0.0F;
    });
    if (bad != quant.scales.end()) {
        return broken("scale of channel {} is {}, expected more than 0", bad - quant.scales.begin(),
                      *bad);
    }
    return {};
}

Result<void> checkOperandType(const Operand& operand, const Model& model) {
    if (isExtension(operand.type)) {
        return checkExtensionOperand(operand, model);
    }
    const auto facts = factsOf(operand.type);
    if (!facts) {
        return broken("type is {}, which HAL 1.3 does not have",
                      static_cast<std::int32_t>(operand.type));
    }
    VNPU_TRY(checkRank(operand, *facts));
    VNPU_TRY(checkScale(operand, facts->scale));
    return checkZeroPoint(operand, *facts);
}

Result<void> checkOperand(const Operand& operand, const Model& model) {
    VNPU_TRY(checkOperandType(operand, model));
    VNPU_TRY(checkExtraParams(operand));
    return checkLocation(operand, model);
}

}  // namespace vnpu::driver
