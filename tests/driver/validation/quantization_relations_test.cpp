// SPDX-License-Identifier: Apache-2.0
// Relations between scales and zero points of an operation's operands.
#include "driver/validation/quantization_relations.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/driver/validation/example_calls.h"

using namespace vnpu::driver::test;
using vnpu::driver::HalVersion;
using vnpu::driver::validateModel;
using Op = OperationType;

TEST_SUITE_BEGIN("driver/validation/quantization_relations");

namespace {

bool isQuant8(const Operand& operand) {
    return operand.type == OperandType::TENSOR_QUANT8_ASYMM ||
           operand.type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
}

/// The first example of an operation whose output 0 has this type.
Model exampleOf(Op operation, OperandType type) {
    for (ExampleModel& example : exampleModels()) {
        if (example.model.main.operations[0].type == operation &&
            outputOf(example.model).type == type) {
            return std::move(example.model);
        }
    }
    FAIL("no such example");
    return {};
}

/// Operations whose output 0 has the input's scale and zero point, or fixed ones.
const std::set<Op> kFixedOutput = {Op::AVERAGE_POOL_2D,
                                   Op::MAX_POOL_2D,
                                   Op::RELU,
                                   Op::RELU1,
                                   Op::RELU6,
                                   Op::LOGISTIC,
                                   Op::TANH,
                                   Op::SOFTMAX,
                                   Op::L2_NORMALIZATION,
                                   Op::RESHAPE,
                                   Op::DEPTH_TO_SPACE,
                                   Op::SPACE_TO_DEPTH,
                                   Op::BATCH_TO_SPACE_ND,
                                   Op::SPACE_TO_BATCH_ND,
                                   Op::EMBEDDING_LOOKUP,
                                   Op::HASHTABLE_LOOKUP,
                                   Op::RESIZE_BILINEAR,
                                   Op::RESIZE_NEAREST_NEIGHBOR,
                                   Op::MEAN,
                                   Op::PAD,
                                   Op::PAD_V2,
                                   Op::SQUEEZE,
                                   Op::STRIDED_SLICE,
                                   Op::TRANSPOSE,
                                   Op::BOX_WITH_NMS_LIMIT,
                                   Op::CHANNEL_SHUFFLE,
                                   Op::EXPAND_DIMS,
                                   Op::GATHER,
                                   Op::GENERATE_PROPOSALS,
                                   Op::REDUCE_MAX,
                                   Op::REDUCE_MIN,
                                   Op::ROI_POOLING,
                                   Op::SLICE,
                                   Op::SPLIT,
                                   Op::TILE,
                                   Op::TOPK_V2};

}  // namespace

TEST_CASE("an output has another quantization just where NNAPI lets it [E-8]") {
    std::set<Op> seen;
    for (ExampleModel& example : exampleModels()) {
        Model& model = example.model;
        if (!isQuant8(outputOf(model))) {
            continue;
        }
        const Op operation = model.main.operations[0].type;
        const bool isFixed = kFixedOutput.count(operation) != 0;
        seen.insert(operation);
        CAPTURE(example.name);
        outputOf(model).scale *= 2;
        CHECK_EQ(validateModel(model).has_value(), !isFixed);
        outputOf(model).scale /= 2;
        outputOf(model).zeroPoint += 1;
        CHECK_EQ(validateModel(model).has_value(), !isFixed);
    }
    for (const Op operation : kFixedOutput) {
        CAPTURE(toString(operation));
        CHECK_EQ(seen.count(operation), 1);
    }
}

TEST_CASE("every part of SPLIT is quantized as the whole [E-8]") {
    Model model = exampleOf(Op::SPLIT, OperandType::TENSOR_QUANT8_ASYMM);
    outputOf(model, 2).scale = 0.25F;
    checkInvalid(model, "output 2 has scale 0.25 and zero point 0, expected the input's 0.5 and 0");
}

TEST_CASE("a quantized TANH or L2_NORMALIZATION gives 128ths around the middle [E-8]") {
    for (const Op operation : {Op::TANH, Op::L2_NORMALIZATION}) {
        Model model = exampleOf(operation, OperandType::TENSOR_QUANT8_ASYMM);
        CHECK_EQ(outputOf(model).zeroPoint, 128);
        outputOf(model).scale = 1.0F / 256.0F;
        checkInvalid(model, "expected 1/128 and 128");
        model = exampleOf(operation, OperandType::TENSOR_QUANT8_ASYMM_SIGNED);
        outputOf(model).zeroPoint = -128;
        checkInvalid(model, "expected 1/128 and 0");
    }
}

TEST_CASE("a quantized product needs a scale above that of its factors [E-8]") {
    Model model = exampleOf(Op::MUL, OperandType::TENSOR_QUANT8_ASYMM);
    outputOf(model).scale = 0.25F;
    checkInvalid(model, "output has scale 0.25, expected more than 0.25");
    outputOf(model).scale = 0.26F;
    checkValid(model);
}

TEST_CASE("before 1.2, layers need a scale above that of their product [E-8]") {
    for (const Op operation : {Op::CONV_2D, Op::DEPTHWISE_CONV_2D, Op::FULLY_CONNECTED}) {
        Model model = exampleOf(operation, OperandType::TENSOR_QUANT8_ASYMM);
        CAPTURE(toString(operation));
        CHECK(validateModel(model, HalVersion::k10).has_value());
        outputOf(model).scale = inputOf(model, 0).scale * inputOf(model, 1).scale;
        CHECK_FALSE(validateModel(model, HalVersion::k11).has_value());
        CHECK(validateModel(model, HalVersion::k12).has_value());
    }
}

TEST_CASE("before 1.2, CONCATENATION takes parts of its output's quantization [E-8]") {
    for (const bool isScale : {true, false}) {
        Model model = exampleOf(Op::CONCATENATION, OperandType::TENSOR_QUANT8_ASYMM);
        CHECK(validateModel(model, HalVersion::k10).has_value());
        if (isScale) {
            inputOf(model, 1).scale = 0.25F;
        } else {
            inputOf(model, 1).zeroPoint = 9;
        }
        CHECK_FALSE(validateModel(model, HalVersion::k11).has_value());
        CHECK(validateModel(model, HalVersion::k12).has_value());
    }
}

TEST_CASE("before 1.2, a padded tensor has zero point 0 [E-8]") {
    for (const Op operation : {Op::PAD, Op::SPACE_TO_BATCH_ND}) {
        Model model = exampleOf(operation, OperandType::TENSOR_QUANT8_ASYMM);
        CHECK(validateModel(model, HalVersion::k11).has_value());
        inputOf(model, 0).zeroPoint = 9;
        outputOf(model).zeroPoint = 9;
        CHECK_FALSE(validateModel(model, HalVersion::k11).has_value());
        CHECK(validateModel(model, HalVersion::k12).has_value());
    }
}

TEST_CASE("quantized coordinates are eighths from 0 [E-8]") {
    std::size_t coordinates = 0;
    for (const ExampleModel& example : exampleModels()) {
        const Op operation = example.model.main.operations[0].type;
        if (operation == Op::CAST || operation == Op::RANK) {
            continue;
        }
        for (std::size_t i = 0; i < example.model.main.operands.size(); ++i) {
            const OperandType type = example.model.main.operands[i].type;
            const bool isAsymmetric = type == OperandType::TENSOR_QUANT16_ASYMM;
            if (!isAsymmetric &&
                (type != OperandType::TENSOR_QUANT16_SYMM || operation != Op::GENERATE_PROPOSALS)) {
                continue;
            }
            ++coordinates;
            CAPTURE(example.name);
            Model model = example.model;
            model.main.operands[i].scale = 0.25F;
            checkInvalid(model, "expected 0.125 and 0");
            model.main.operands[i].scale = 0.125F;
            model.main.operands[i].zeroPoint = isAsymmetric ? 1 : 0;
            CHECK_EQ(validateModel(model).has_value(), !isAsymmetric);
        }
    }
    // Two types each of: 3 operands of a transformation, 2 of a suppression, 3 of proposals, 2 of
    // key points, 1 each of aligning and pooling.
    CHECK_EQ(coordinates, 24);
}

TEST_CASE("hits of a HASHTABLE_LOOKUP have scale 1 [E-8]") {
    Model model = exampleOf(Op::HASHTABLE_LOOKUP, OperandType::TENSOR_FLOAT32);
    outputOf(model, 1).scale = 0.5F;
    checkInvalid(model, "output 1 has scale 0.5 and zero point 0, expected 1 and 0");
    outputOf(model, 1).scale = 1.0F;
    outputOf(model, 1).zeroPoint = 1;
    checkInvalid(model, "output 1 has scale 1 and zero point 1");
}

TEST_CASE("biases of grouped and transposed convolutions have the product of scales [E-8]") {
    for (const Op operation : {Op::GROUPED_CONV_2D, Op::TRANSPOSE_CONV_2D, Op::DEPTHWISE_CONV_2D}) {
        Model model = exampleOf(operation, OperandType::TENSOR_QUANT8_ASYMM_SIGNED);
        inputOf(model, 2).scale = 0.5F;
        checkInvalid(model, "scale of the bias is 0.5, expected 0.25");
    }
}

TEST_CASE("QUANTIZED_16BIT_LSTM has fixed ranges, and one quantization of weights [E-8]") {
    const Model valid = exampleOf(Op::QUANTIZED_16BIT_LSTM, OperandType::TENSOR_QUANT16_SYMM);
    checkValid(valid);
    for (std::size_t i = 0; i < valid.main.operands.size(); ++i) {
        CAPTURE(i);
        Model model = valid;
        model.main.operands[i].scale *= 2;
        checkInvalid(model, "has scale");
        model = valid;
        if (isQuant8(model.main.operands[i])) {
            model.main.operands[i].zeroPoint -= i == 0 || i > 8 ? 1 : -1;
            checkInvalid(model, "zero point");
        }
    }
}

TEST_SUITE_END();
