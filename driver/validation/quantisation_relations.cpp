// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/quantisation_relations.h"

#include <fmt/format.h>

#include <cmath>

#include "driver/validation/operation_types.h"

namespace vnpu::driver {

namespace {

using android::hardware::neuralnetworks::V1_3::Operand;

constexpr std::size_t kData = 0;
constexpr std::size_t kFilterOperand = 1;
constexpr std::size_t kBiasOperand = 2;

bool isQuant8(const Operand& operand) {
    return operand.type == OperandType::TENSOR_QUANT8_ASYMM ||
           operand.type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
}

std::optional<std::string> checkQuantisation(const Operand& operand, const std::string& what,
                                             float scale, std::int32_t zeroPoint) {
    if (operand.scale != scale || operand.zeroPoint != zeroPoint) {
        return fmt::format("{} has scale {} and zero point {}, expected {} and {}", what,
                           operand.scale, operand.zeroPoint, scale, zeroPoint);
    }
    return std::nullopt;
}

std::optional<std::string> checkAsInput(const Operand& output, std::size_t index,
                                        const Operand& input) {
    if (input.scale != output.scale || input.zeroPoint != output.zeroPoint) {
        return fmt::format(
                "output {} has scale {} and zero point {}, expected the input's {} and {}", index,
                output.scale, output.zeroPoint, input.scale, input.zeroPoint);
    }
    return std::nullopt;
}

bool isProduct(float scale, float product) {
    // chosen: a few roundings of float32 are the only difference that an honest converter makes
    constexpr float kTolerance = 1e-5F;
    return std::fabs(scale - product) <= kTolerance * product;
}

// Inputs of QUANTIZED_16BIT_LSTM: data, weights, biases, and the two states.
constexpr std::size_t kFirstWeights = 1;
constexpr std::size_t kFirstBias = 9;
constexpr std::size_t kCellState = 13;
constexpr std::size_t kLastOutput = 14;

std::optional<std::string> checkFixedRanges(const OperationView& lstm) {
    constexpr float kUnit = 1.0F / 128.0F;     // source: HAL 1.3 types, -1 to 127/128
    constexpr float kCell = 16.0F / 32768.0F;  // source: HAL 1.3 types, -2^4 to 2^4
    struct Fixed {
        const Operand* operand;
        const char* what;
        float scale;
        std::int32_t zeroPoint;
    };
    for (const Fixed& fixed : {Fixed{lstm.inputs[kData], "input 0", kUnit, 128},
                               Fixed{lstm.inputs[kCellState], "input 13", kCell, 0},
                               Fixed{lstm.inputs[kLastOutput], "input 14", kUnit, 128},
                               Fixed{lstm.outputs[0], "output 0", kCell, 0},
                               Fixed{lstm.outputs[1], "output 1", kUnit, 128}}) {
        if (auto wrong =
                    checkQuantisation(*fixed.operand, fixed.what, fixed.scale, fixed.zeroPoint)) {
            return wrong;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> outputIsQuantisedAsInput(const OperationView& operation,
                                                    std::size_t input) {
    return checkAsInput(*operation.outputs[0], 0, *operation.inputs[input]);
}

std::optional<std::string> everyOutputIsQuantisedAsInput(const OperationView& operation) {
    for (std::size_t i = 0; i < operation.outputs.size(); ++i) {
        if (auto wrong = checkAsInput(*operation.outputs[i], i, *operation.inputs[kData])) {
            return wrong;
        }
    }
    return std::nullopt;
}

std::optional<std::string> outputIsQuantisedAsProbability(const OperationView& operation) {
    const Operand& output = *operation.outputs[0];
    if (!isQuant8(output)) {
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

std::optional<std::string> outputIsQuantisedAsUnitRange(const OperationView& operation) {
    const Operand& output = *operation.outputs[0];
    if (!isQuant8(output)) {
        return std::nullopt;
    }
    constexpr float kScale = 1.0F / 128.0F;
    const std::int32_t zeroPoint = output.type == OperandType::TENSOR_QUANT8_ASYMM ? 128 : 0;
    if (output.scale != kScale || output.zeroPoint != zeroPoint) {
        return fmt::format("output has scale {} and zero point {}, expected 1/128 and {}",
                           output.scale, output.zeroPoint, zeroPoint);
    }
    return std::nullopt;
}

std::optional<std::string> earlyPartsAreQuantisedAsOutput(const OperationView& operation) {
    if (operation.version >= HalVersion::k12) {
        return std::nullopt;
    }
    const Operand& output = *operation.outputs[0];
    for (std::size_t i = 0; i + 1 < operation.inputs.size(); ++i) {  // the last is the axis
        if (auto wrong = checkQuantisation(*operation.inputs[i], fmt::format("input {}", i),
                                           output.scale, output.zeroPoint)) {
            return *wrong + " before HAL 1.2, as the output";
        }
    }
    return std::nullopt;
}

std::optional<std::string> earlyPaddingIsZero(const OperationView& operation) {
    const std::int32_t zeroPoint = operation.inputs[kData]->zeroPoint;
    if (operation.version >= HalVersion::k12 || zeroPoint == 0) {
        return std::nullopt;
    }
    return fmt::format("input 0 has zero point {}, expected 0 before HAL 1.2", zeroPoint);
}

std::optional<std::string> outputScaleExceedsProduct(const OperationView& operation) {
    const Operand& output = *operation.outputs[0];
    const float product = operation.inputs[0]->scale * operation.inputs[1]->scale;
    if (isQuant8(output) && output.scale <= product) {
        return fmt::format("output has scale {}, expected more than {}, the product of the inputs'",
                           output.scale, product);
    }
    return std::nullopt;
}

std::optional<std::string> earlyOutputExceedsProduct(const OperationView& operation) {
    if (operation.version >= HalVersion::k12) {
        return std::nullopt;
    }
    auto wrong = outputScaleExceedsProduct(operation);
    return wrong ? std::optional(*wrong + " before HAL 1.2") : std::nullopt;
}

std::optional<std::string> biasMatchesFilter(const OperationView& operation) {
    const Operand& bias = *operation.inputs[kBiasOperand];
    if (bias.type != OperandType::TENSOR_INT32) {
        return std::nullopt;
    }
    const Operand& filter = *operation.inputs[kFilterOperand];
    const bool isPerChannel = filter.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    const float expected = isPerChannel ? 0.0F : operation.inputs[kData]->scale * filter.scale;
    if (!isProduct(bias.scale, expected)) {
        return fmt::format("scale of the bias is {}, expected {}{}", bias.scale, expected,
                           isPerChannel ? "" : ", the product of the scales of input and filter");
    }
    return std::nullopt;
}

std::optional<std::string> coordinatesAreEighths(const OperationView& operation) {
    constexpr float kScale = 0.125F;  // source: HAL 1.3 types, TENSOR_QUANT16_ASYMM regions
    const auto check = [](const std::vector<const Operand*>& operands,
                          const char* what) -> std::optional<std::string> {
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const bool is16Bit = operands[i]->type == OperandType::TENSOR_QUANT16_ASYMM ||
                                 operands[i]->type == OperandType::TENSOR_QUANT16_SYMM;
            if (!is16Bit) {
                continue;
            }
            if (auto wrong =
                        checkQuantisation(*operands[i], fmt::format("{} {}", what, i), kScale, 0)) {
                return wrong;
            }
        }
        return std::nullopt;
    };
    if (auto wrong = check(operation.inputs, "input")) {
        return wrong;
    }
    return check(operation.outputs, "output");
}

std::optional<std::string> hitsAreCounted(const OperationView& operation) {
    return checkQuantisation(*operation.outputs[1], "output 1", 1.0F, 0);
}

std::optional<std::string> quantised16BitLstmHasItsScales(const OperationView& operation) {
    const auto& in = operation.inputs;
    const Operand& weights = *in[kFirstWeights];
    for (std::size_t i = kFirstWeights; i < kFirstBias; ++i) {
        if (auto wrong = checkQuantisation(*in[i], fmt::format("input {}", i), weights.scale,
                                           weights.zeroPoint)) {
            return wrong;
        }
    }
    for (std::size_t i = kFirstBias; i < kCellState; ++i) {
        if (!isProduct(in[i]->scale, in[kData]->scale * weights.scale)) {
            return fmt::format("input {} has scale {}, expected {} as input times weights", i,
                               in[i]->scale, in[kData]->scale * weights.scale);
        }
    }
    return checkFixedRanges(operation);
}

}  // namespace vnpu::driver
