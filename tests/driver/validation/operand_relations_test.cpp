// SPDX-License-Identifier: Apache-2.0
// Relations between ranks, shapes and types of an operation's operands.
#include "driver/validation/operand_relations.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/driver/validation/example_calls.h"

using namespace vnpu::driver::test;
using Op = OperationType;

TEST_SUITE_BEGIN("driver/validation/operand_relations");

namespace {

/// Examples of an operation.
std::vector<Model> examplesOf(Op operation) {
    std::vector<Model> models;
    for (ExampleModel& example : exampleModels()) {
        if (example.model.main.operations[0].type == operation) {
            models.push_back(std::move(example.model));
        }
    }
    REQUIRE_FALSE(models.empty());
    return models;
}

Model exampleOf(Op operation) {
    return examplesOf(operation).front();
}

/// Checks that every example of the operation refuses another rank of one input.
void checkWrongRank(Op operation, std::size_t input, std::size_t rank) {
    for (Model model : examplesOf(operation)) {
        Operand& operand = inputOf(model, input);
        if (operand.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
            continue;  // its scales depend on its shape
        }
        operand.dimensions = std::vector<std::uint32_t>(rank, 1);
        checkInvalid(model, "has rank");
    }
}

}  // namespace

TEST_CASE("tensors of rank up to 4 have no rank of 5 [E-8]") {
    for (const Op operation : {Op::ADD,
                               Op::MUL,
                               Op::SUB,
                               Op::DIV,
                               Op::RELU,
                               Op::RELU1,
                               Op::RELU6,
                               Op::LOGISTIC,
                               Op::TANH,
                               Op::FLOOR,
                               Op::RESHAPE,
                               Op::CONCATENATION,
                               Op::PAD,
                               Op::PAD_V2,
                               Op::SQUEEZE,
                               Op::TRANSPOSE,
                               Op::STRIDED_SLICE,
                               Op::CHANNEL_SHUFFLE,
                               Op::SOFTMAX,
                               Op::L2_NORMALIZATION,
                               Op::LOCAL_RESPONSE_NORMALIZATION,
                               Op::MEAN,
                               Op::REDUCE_ALL,
                               Op::REDUCE_ANY,
                               Op::REDUCE_MAX,
                               Op::REDUCE_MIN,
                               Op::REDUCE_PROD,
                               Op::REDUCE_SUM,
                               Op::FULLY_CONNECTED}) {
        CAPTURE(toString(operation));
        checkWrongRank(operation, 0, 5);
    }
}

TEST_CASE("images have rank 4 [E-8]") {
    for (const Op operation :
         {Op::CONV_2D, Op::DEPTHWISE_CONV_2D, Op::GROUPED_CONV_2D, Op::TRANSPOSE_CONV_2D,
          Op::AVERAGE_POOL_2D, Op::MAX_POOL_2D, Op::L2_POOL_2D, Op::DEPTH_TO_SPACE,
          Op::SPACE_TO_DEPTH, Op::BATCH_TO_SPACE_ND, Op::SPACE_TO_BATCH_ND, Op::RESIZE_BILINEAR,
          Op::RESIZE_NEAREST_NEIGHBOR, Op::INSTANCE_NORMALIZATION, Op::ROI_ALIGN, Op::ROI_POOLING,
          Op::HEATMAP_MAX_KEYPOINT, Op::GENERATE_PROPOSALS}) {
        CAPTURE(toString(operation));
        checkWrongRank(operation, 0, 3);
        checkWrongRank(operation, 0, 5);
    }
}

TEST_CASE("weights, biases, lookups, boxes and states have the rank of their place [E-8]") {
    struct Place {
        Op operation;
        std::size_t input;
        std::size_t wrongRank;
    };
    for (const Place& place : {Place{Op::CONV_2D, 1, 2},
                               {Op::CONV_2D, 2, 2},
                               {Op::TRANSPOSE_CONV_2D, 1, 3},
                               {Op::FULLY_CONNECTED, 0, 1},
                               {Op::FULLY_CONNECTED, 1, 3},
                               {Op::FULLY_CONNECTED, 2, 2},
                               {Op::EMBEDDING_LOOKUP, 0, 2},
                               {Op::EMBEDDING_LOOKUP, 1, 1},
                               {Op::HASHTABLE_LOOKUP, 1, 2},
                               {Op::HASHTABLE_LOOKUP, 2, 1},
                               {Op::LSH_PROJECTION, 0, 1},
                               {Op::RANDOM_MULTINOMIAL, 0, 3},
                               {Op::RESHAPE, 1, 2},
                               {Op::PAD, 1, 1},
                               {Op::SPACE_TO_BATCH_ND, 1, 2},
                               {Op::SPACE_TO_BATCH_ND, 2, 1},
                               {Op::AXIS_ALIGNED_BBOX_TRANSFORM, 1, 3},
                               {Op::BOX_WITH_NMS_LIMIT, 0, 1},
                               {Op::DETECTION_POSTPROCESSING, 0, 2},
                               {Op::DETECTION_POSTPROCESSING, 2, 3},
                               {Op::ROI_ALIGN, 1, 1},
                               {Op::LSTM, 0, 3},
                               {Op::LSTM, 13, 2},
                               {Op::LSTM, 18, 1},
                               {Op::UNIDIRECTIONAL_SEQUENCE_LSTM, 0, 2},
                               {Op::BIDIRECTIONAL_SEQUENCE_LSTM, 0, 2},
                               {Op::BIDIRECTIONAL_SEQUENCE_LSTM, 35, 1},
                               {Op::RNN, 3, 2},
                               {Op::UNIDIRECTIONAL_SEQUENCE_RNN, 0, 2},
                               {Op::BIDIRECTIONAL_SEQUENCE_RNN, 4, 3},
                               {Op::SVDF, 2, 1},
                               {Op::QUANTIZED_16BIT_LSTM, 0, 1},
                               {Op::QUANTIZED_LSTM, 19, 3}}) {
        CAPTURE(toString(place.operation));
        CAPTURE(place.input);
        checkWrongRank(place.operation, place.input, place.wrongRank);
    }
}

TEST_CASE("an unknown rank fits everywhere but in a constant [E-8]") {
    for (const Op operation : {Op::CONV_2D, Op::RELU, Op::LSTM, Op::GATHER, Op::ROI_ALIGN}) {
        Model model = exampleOf(operation);
        inputOf(model, 0).dimensions = {};
        outputOf(model).dimensions = {};
        checkValid(model);
    }
}

TEST_CASE("elementwise operations keep the shape [E-8]") {
    for (const Op operation : {Op::RELU,
                               Op::RELU1,
                               Op::RELU6,
                               Op::LOGISTIC,
                               Op::TANH,
                               Op::FLOOR,
                               Op::ELU,
                               Op::HARD_SWISH,
                               Op::ABS,
                               Op::NEG,
                               Op::EXP,
                               Op::LOG,
                               Op::SIN,
                               Op::SQRT,
                               Op::RSQRT,
                               Op::LOGICAL_NOT,
                               Op::CAST,
                               Op::QUANTIZE,
                               Op::DEQUANTIZE,
                               Op::SOFTMAX,
                               Op::LOG_SOFTMAX,
                               Op::L2_NORMALIZATION,
                               Op::LOCAL_RESPONSE_NORMALIZATION,
                               Op::INSTANCE_NORMALIZATION,
                               Op::CHANNEL_SHUFFLE}) {
        CAPTURE(toString(operation));
        Model model = exampleOf(operation);
        auto& dimensions = outputOf(model).dimensions;
        ++dimensions[dimensions.size() - 1];
        checkInvalid(model, "expected input 0's");
        dimensions[dimensions.size() - 1] = 0;
        checkValid(model);
    }
}

TEST_CASE("two shapes are broadcast from the end, and the output has the larger [E-8]") {
    for (const Op operation :
         {Op::ADD, Op::MUL, Op::SUB, Op::DIV, Op::MAXIMUM, Op::MINIMUM, Op::POW, Op::PRELU,
          Op::LOGICAL_AND, Op::LOGICAL_OR, Op::EQUAL, Op::NOT_EQUAL, Op::LESS, Op::LESS_EQUAL,
          Op::GREATER, Op::GREATER_EQUAL}) {
        CAPTURE(toString(operation));
        Model model = exampleOf(operation);
        inputOf(model, 0).dimensions = {2, 1, 3};
        inputOf(model, 1).dimensions = {4, 3};
        outputOf(model).dimensions = {2, 4, 3};
        checkValid(model);
        outputOf(model).dimensions = {2, 1, 3};
        checkInvalid(model, "output 0 has shape [2, 1, 3], expected [2, 4, 3]");
        outputOf(model).dimensions = {2, 4, 3};
        inputOf(model, 1).dimensions = {4, 2};
        checkInvalid(model, "which do not go together");
        inputOf(model, 1).dimensions = {0, 3};
        checkValid(model);
    }
}

TEST_CASE("SELECT takes operands of one shape [E-8]") {
    for (const std::size_t input : {0U, 1U, 2U}) {
        Model model = exampleOf(Op::SELECT);
        inputOf(model, input).dimensions = {2, 4};
        checkInvalid(model, "has shape");
    }
}

TEST_CASE("RESHAPE and EXPAND_DIMS keep the number of elements [E-8]") {
    for (const Op operation : {Op::RESHAPE, Op::EXPAND_DIMS}) {
        Model model = exampleOf(operation);
        outputOf(model).dimensions = {5, 5};
        checkInvalid(model, "output 0 has 25 elements");
    }
}

TEST_CASE("PAD, SLICE, TILE and TRANSPOSE keep the rank [E-8]") {
    for (const Op operation : {Op::PAD, Op::PAD_V2, Op::SLICE, Op::TILE, Op::TRANSPOSE}) {
        CAPTURE(toString(operation));
        Model model = exampleOf(operation);
        outputOf(model).dimensions = {7};
        checkInvalid(model, "output 0 has rank 1, expected input 0's");
    }
}

TEST_CASE("a padding is two numbers for each dimension [E-8]") {
    for (const Op operation : {Op::PAD, Op::PAD_V2}) {
        Model model = exampleOf(operation);
        inputOf(model, 1).dimensions = {3, 2};
        checkInvalid(model, "input 1 has shape [3, 2], expected a padding's [2, 2]");
        inputOf(model, 1).dimensions = {2, 1};
        checkInvalid(model, "input 1 has shape [2, 1]");
    }
}

TEST_CASE("the bias has one element for each channel of the output [E-8]") {
    for (const Op operation : {Op::CONV_2D, Op::DEPTHWISE_CONV_2D, Op::GROUPED_CONV_2D,
                               Op::TRANSPOSE_CONV_2D, Op::FULLY_CONNECTED}) {
        CAPTURE(toString(operation));
        Model model = exampleOf(operation);
        inputOf(model, 2).dimensions = {9};
        checkInvalid(model, "the bias has 9 elements");
    }
}

TEST_CASE("grouped and transposed convolutions have the channels of their filter first [E-8]") {
    for (const Op operation : {Op::GROUPED_CONV_2D, Op::TRANSPOSE_CONV_2D}) {
        for (Model model : examplesOf(operation)) {
            Operand& filter = inputOf(model, 1);
            if (filter.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
                filter.extraParams.channelQuant().channelDim = 3;
                filter.extraParams.channelQuant().scales = {0.5F};
                checkInvalid(model, "channels of the filter are dimension 3, expected 0");
            }
        }
    }
}

TEST_CASE("the types that came with 1.3 are cast to themselves alone [E-8]") {
    Model model = exampleOf(Op::CAST);
    Operand& input = inputOf(model, 0);
    input.type = OperandType::TENSOR_BOOL8;
    checkInvalid(model, "casts TENSOR_BOOL8 to TENSOR_FLOAT32");
    outputOf(model).type = OperandType::TENSOR_BOOL8;
    checkValid(model);
}

TEST_SUITE_END();
