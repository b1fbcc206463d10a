// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/operand_relations.h"

#include <fmt/format.h>

#include <cmath>

namespace vnpu::driver {

namespace {

using android::hardware::neuralnetworks::V1_3::Operand;
using android::hardware::neuralnetworks::V1_3::OperandType;

constexpr std::size_t kData = 0;
constexpr std::size_t kFilter = 1;
constexpr std::size_t kBias = 2;

std::optional<std::string> checkRank(const Operand& operand, std::size_t rank, const char* what) {
    if (operand.dimensions.size() != 0 && operand.dimensions.size() != rank) {
        return fmt::format("{} has rank {}, expected {}", what, operand.dimensions.size(), rank);
    }
    return std::nullopt;
}

std::optional<std::string> checkChannelDimension(const Operand& filter, std::uint32_t expected) {
    if (filter.type != OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        return std::nullopt;
    }
    const std::uint32_t actual = filter.extraParams.channelQuant().channelDim;
    if (actual != expected) {
        return fmt::format("channels of the filter are dimension {}, expected {}", actual,
                           expected);
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> inputsAreImages(const OperationView& operation) {
    if (auto wrong = checkRank(*operation.inputs[kData], 4, "input 0")) {
        return wrong;
    }
    return checkRank(*operation.outputs[0], 4, "output 0");
}

std::optional<std::string> filterHasRankFour(const OperationView& operation) {
    if (auto wrong = checkRank(*operation.inputs[kFilter], 4, "the filter")) {
        return wrong;
    }
    return checkRank(*operation.inputs[kBias], 1, "the bias");
}

std::optional<std::string> weightsHaveRankTwo(const OperationView& operation) {
    if (auto wrong = checkRank(*operation.inputs[kFilter], 2, "the weights")) {
        return wrong;
    }
    return checkRank(*operation.inputs[kBias], 1, "the bias");
}

std::optional<std::string> biasMatchesFilter(const OperationView& operation) {
    const Operand& bias = *operation.inputs[kBias];
    if (bias.type != OperandType::TENSOR_INT32) {
        return std::nullopt;
    }
    const Operand& filter = *operation.inputs[kFilter];
    const bool isPerChannel = filter.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    const float expected = isPerChannel ? 0.0F : operation.inputs[kData]->scale * filter.scale;
    // chosen: a few roundings of float32 are the only difference that an honest converter makes
    constexpr float kTolerance = 1e-5F;
    if (std::fabs(bias.scale - expected) > kTolerance * expected) {
        return fmt::format("scale of the bias is {}, expected {}{}", bias.scale, expected,
                           isPerChannel ? "" : ", the product of the scales of input and filter");
    }
    return std::nullopt;
}

std::optional<std::string> channelDimensionIsFirst(const OperationView& operation) {
    return checkChannelDimension(*operation.inputs[kFilter], 0);
}

std::optional<std::string> channelDimensionIsLast(const OperationView& operation) {
    return checkChannelDimension(*operation.inputs[kFilter], 3);
}

std::optional<std::string> outputIsQuantisedAsInput(const OperationView& operation) {
    const Operand& input = *operation.inputs[kData];
    const Operand& output = *operation.outputs[0];
    if (input.scale != output.scale || input.zeroPoint != output.zeroPoint) {
        return fmt::format("output has scale {} and zero point {}, expected the input's {} and {}",
                           output.scale, output.zeroPoint, input.scale, input.zeroPoint);
    }
    return std::nullopt;
}

std::optional<std::string> outputIsQuantisedAsProbability(const OperationView& operation) {
    const Operand& output = *operation.outputs[0];
    if (output.type != OperandType::TENSOR_QUANT8_ASYMM &&
        output.type != OperandType::TENSOR_QUANT8_ASYMM_SIGNED) {
        return std::nullopt;
    }
    constexpr float kScale = 1.0F / 256.0F;
    const std::int32_t zeroPoint = output.type == OperandType::TENSOR_QUANT8_ASYMM ? 0 : -128;
    if (output.scale != kScale || output.zeroPoint != zeroPoint) {
        return fmt::format("output has scale {} and zero point {}, expected 1/256 and {}",
                           output.scale, output.zeroPoint, zeroPoint);
    }
    return std::nullopt;
}

}  // namespace vnpu::driver
