// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/quantization_relations.h"

#include <cmath>

#include "driver/validation/broken_rule.h"
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

Result<void> checkQuantization(const Operand& operand, const std::string& what, float scale,
                               std::int32_t zeroPoint) {
    if (operand.scale != scale || operand.zeroPoint != zeroPoint) {
        return broken("{} has scale {} and zero point {}, expected {} and {}", what, operand.scale,
                      operand.zeroPoint, scale, zeroPoint);
    }
    return {};
}

/// A quantized output has scale 1 / `steps` and this zero point, counted from the lowest value.
Result<void> checkFixedOutput(const Operand& output, std::int32_t steps, std::int32_t zeroPoint) {
    if (output.type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED) {
        zeroPoint -= 128;
    }
    if (isQuant8(output) &&
        (output.scale != 1.0F / static_cast<float>(steps) || output.zeroPoint != zeroPoint)) {
        return broken("output has scale {} and zero point {}, expected 1/{} and {}", output.scale,
                      output.zeroPoint, steps, zeroPoint);
    }
    return {};
}

Result<void> checkAsInput(const Operand& output, std::size_t index, const Operand& input) {
    if (input.scale != output.scale || input.zeroPoint != output.zeroPoint) {
        return broken("output {} has scale {} and zero point {}, expected the input's {} and {}",
                      index, output.scale, output.zeroPoint, input.scale, input.zeroPoint);
    }
    return {};
}

/// Says behind a broken rule that it applies only before HAL 1.2.
Result<void> beforeHal12(Result<void> checked, const char* end) {
    if (!checked) {
        checked.error().reason += fmt::format(" before HAL 1.2{}", end);
    }
    return checked;
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

Result<void> checkFixedRanges(const OperationView& lstm) {
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
        VNPU_TRY(checkQuantization(*fixed.operand, fixed.what, fixed.scale, fixed.zeroPoint));
    }
    return {};
}

}  // namespace

Result<void> outputIsQuantizedAsInput(const OperationView& operation, std::size_t input) {
    return checkAsInput(*operation.outputs[0], 0, *operation.inputs[input]);
}

Result<void> everyOutputIsQuantizedAsInput(const OperationView& operation) {
    for (std::size_t i = 0; i < operation.outputs.size(); ++i) {
        VNPU_TRY(checkAsInput(*operation.outputs[i], i, *operation.inputs[kData]));
    }
    return {};
}

Result<void> outputIsQuantizedAsProbability(const OperationView& operation) {
    return checkFixedOutput(*operation.outputs[0], 256, 0);
}

Result<void> outputIsQuantizedAsUnitRange(const OperationView& operation) {
    return checkFixedOutput(*operation.outputs[0], 128, 128);
}

Result<void> earlyPartsAreQuantizedAsOutput(const OperationView& operation) {
    if (operation.version >= HalVersion::k12) {
        return {};
    }
    const Operand& output = *operation.outputs[0];
    for (std::size_t i = 0; i + 1 < operation.inputs.size(); ++i) {  // the last is the axis
        VNPU_TRY(beforeHal12(checkQuantization(*operation.inputs[i], fmt::format("input {}", i),
                                               output.scale, output.zeroPoint),
                             ", as the output"));
    }
    return {};
}

Result<void> earlyPaddingIsZero(const OperationView& operation) {
    const std::int32_t zeroPoint = operation.inputs[kData]->zeroPoint;
    if (operation.version >= HalVersion::k12 || zeroPoint == 0) {
        return {};
    }
    return broken("input 0 has zero point {}, expected 0 before HAL 1.2", zeroPoint);
}

Result<void> outputScaleExceedsProduct(const OperationView& operation) {
    const Operand& output = *operation.outputs[0];
    const float product = operation.inputs[0]->scale * operation.inputs[1]->scale;
    if (isQuant8(output) && output.scale <= product) {
        return broken("output has scale {}, expected more than {}, the product of the inputs'",
                      output.scale, product);
    }
    return {};
}

Result<void> earlyOutputExceedsProduct(const OperationView& operation) {
    if (operation.version >= HalVersion::k12) {
        return {};
    }
    return beforeHal12(outputScaleExceedsProduct(operation), "");
}

Result<void> biasMatchesFilter(const OperationView& operation) {
    const Operand& bias = *operation.inputs[kBiasOperand];
    if (bias.type != OperandType::TENSOR_INT32) {
        return {};
    }
    const Operand& filter = *operation.inputs[kFilterOperand];
    const bool isPerChannel = filter.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    const float expected = isPerChannel ? 0.0F : operation.inputs[kData]->scale * filter.scale;
    if (!isProduct(bias.scale, expected)) {
        return broken("scale of the bias is {}, expected {}{}", bias.scale, expected,
                      isPerChannel ? "" : ", the product of the scales of input and filter");
    }
    return {};
}

Result<void> coordinatesAreEighths(const OperationView& operation) {
    constexpr float kScale = 0.125F;  // source: HAL 1.3 types, TENSOR_QUANT16_ASYMM regions
    const auto check = [](const std::vector<const Operand*>& operands,
                          const char* what) -> Result<void> {
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const bool is16Bit = operands[i]->type == OperandType::TENSOR_QUANT16_ASYMM ||
                                 operands[i]->type == OperandType::TENSOR_QUANT16_SYMM;
            if (!is16Bit) {
                continue;
            }
            VNPU_TRY(checkQuantization(*operands[i], fmt::format("{} {}", what, i), kScale, 0));
        }
        return {};
    };
    VNPU_TRY(check(operation.inputs, "input"));
    return check(operation.outputs, "output");
}

Result<void> hitsAreCounted(const OperationView& operation) {
    return checkQuantization(*operation.outputs[1], "output 1", 1.0F, 0);
}

Result<void> quantized16BitLstmHasItsScales(const OperationView& operation) {
    const auto& in = operation.inputs;
    const Operand& weights = *in[kFirstWeights];
    for (std::size_t i = kFirstWeights; i < kFirstBias; ++i) {
        VNPU_TRY(checkQuantization(*in[i], fmt::format("input {}", i), weights.scale,
                                   weights.zeroPoint));
    }
    for (std::size_t i = kFirstBias; i < kCellState; ++i) {
        if (!isProduct(in[i]->scale, in[kData]->scale * weights.scale)) {
            return broken("input {} has scale {}, expected {} as input times weights", i,
                          in[i]->scale, in[kData]->scale * weights.scale);
        }
    }
    return checkFixedRanges(operation);
}

}  // namespace vnpu::driver
