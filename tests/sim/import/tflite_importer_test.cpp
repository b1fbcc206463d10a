// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/importer.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "sim/base/error.h"
#include "sim/models/operand_types.h"
#include "tests/sim/base/input_error.h"
#include "tests/sim/import/tflite_fixture.h"
#include "vnpu/hal/shared_memory.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;
using schema::BuiltinOptions;
using schema::FusedActivation;
using schema::TensorType;
using Builder = flatbuffers::FlatBufferBuilder;

Network import(const TestFile& file) {
    return importTflite("dir/net.tflite", file.bytes());
}

/// What the importer says about a file that it refuses.
std::string importError(const TestFile& file) {
    return vnpu::sim::test::inputErrorOf([&] { import(file); });
}

const nn::Operand& inputOf(const Network& network, std::size_t operation, std::size_t input) {
    const nn::Subgraph& graph = network.model.main;
    return graph.operands[graph.operations[operation].inputs[input]];
}

std::int32_t scalar(const Network& network, const nn::Operand& operand) {
    std::int32_t value = 0;
    REQUIRE(operand.location.length == sizeof(value));
    std::memcpy(&value, network.model.operandValues.data() + operand.location.offset,
                sizeof(value));
    return value;
}

/// One operator from input tensor 0 to output tensor 1.
TestFile unaryFile(std::int32_t code, const TestTensor& in, const TestTensor& out) {
    TestFile file;
    file.tensors = {in, out};
    file.operators = {{code, {0}, {1}}};
    file.inputs = {0};
    file.outputs = {1};
    return file;
}

TestTensor floats(std::vector<std::int32_t> shape) {
    return {.shape = std::move(shape)};
}

TestTensor int8(std::vector<std::int32_t> shape, float scale = 0.5F, std::int64_t zeroPoint = 0) {
    return {.shape = std::move(shape),
            .type = TensorType::INT8,
            .scales = {scale},
            .zeroPoints = {zeroPoint}};
}

TestTensor constantInts(const std::vector<std::int32_t>& values, std::vector<std::int32_t> shape) {
    return {.shape = std::move(shape), .type = TensorType::INT32, .data = bytesOf(values)};
}

OptionsMaker pool2x2(FusedActivation activation = FusedActivation::NONE) {
    return [activation](Builder& builder) {
        return schema::CreatePool2DOptions(builder, schema::Padding::VALID, 2, 2, 2, 2, activation)
                .Union();
    };
}

}  // namespace

TEST_SUITE_BEGIN("sim/import/tflite_importer");

TEST_CASE("an int8 convolution per channel becomes CONV_2D with TENSOR_QUANT8_SYMM_PER_CHANNEL") {
    const Network network = import(convolutionFile());
    CHECK(network.name == "net");
    REQUIRE(network.model.main.operations.size() == 1);
    const nn::Operation& operation = network.model.main.operations[0];
    CHECK(operation.type == nn::OperationType::CONV_2D);
    REQUIRE(operation.inputs.size() == 7);
    const nn::Operand& input = inputOf(network, 0, 0);
    CHECK(input.type == nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED);
    CHECK(input.scale == 0.5F);
    CHECK(input.zeroPoint == 3);
    CHECK(input.lifetime == nn::OperandLifeTime::SUBGRAPH_INPUT);
    const nn::Operand& filter = inputOf(network, 0, 1);
    CHECK(filter.type == nn::OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL);
    CHECK(filter.extraParams.channelQuant().channelDim == 0);
    CHECK(std::vector<float>(filter.extraParams.channelQuant().scales) ==
          std::vector<float>{0.25F, 0.5F, 1.0F});
    const nn::Operand& bias = inputOf(network, 0, 2);
    CHECK(bias.type == nn::OperandType::TENSOR_INT32);
    CHECK(bias.scale == 0.0F);
    CHECK(scalar(network, inputOf(network, 0, 3)) == 1);  // SAME
    CHECK(scalar(network, inputOf(network, 0, 6)) == 1);  // RELU
    CHECK(network.macs == 4 * 4 * 3 * 3 * 3 * 2);
}

TEST_CASE("describes inputs and outputs as the file names them") {
    const Network network = import(convolutionFile());
    REQUIRE(network.inputs.size() == 1);
    REQUIRE(network.outputs.size() == 1);
    CHECK(network.inputs[0].name == "in");
    CHECK(network.inputs[0].sizeBytes == 32);
    CHECK(network.outputs[0].name == "out");
    CHECK(network.outputs[0].dimensions == std::vector<std::uint32_t>{1, 4, 4, 3});
    CHECK(network.outputs[0].scale == 2.0F);
    CHECK(network.outputs[0].zeroPoint == -128);
    CHECK(network.operationNames == std::vector<std::string>{"out"});
}

TEST_CASE("a missing bias becomes a constant of zeros") {
    const Network network = import(floatConvolutionFile());
    const nn::Operand& bias = inputOf(network, 0, 2);
    CHECK(bias.type == nn::OperandType::TENSOR_FLOAT32);
    REQUIRE(bias.lifetime == nn::OperandLifeTime::CONSTANT_COPY);
    REQUIRE(bias.location.length == 12);
    for (std::uint32_t i = 0; i < 12; ++i) {
        CHECK(network.model.operandValues[bias.location.offset + i] == 0);
    }
}

TEST_CASE("large constants lie in a shared pool byte for byte [MP-2]") {
    const Network network = import(floatConvolutionFile());
    const nn::Operand& filter = inputOf(network, 0, 1);
    REQUIRE(filter.lifetime == nn::OperandLifeTime::CONSTANT_REFERENCE);
    REQUIRE(network.model.pools.size() == 1);
    CHECK(std::string(network.model.pools[0].name()) == "ashmem");
    const auto pool = vnpu::hal::MappedPool::create(network.model.pools[0]);
    REQUIRE(pool.has_value());
    const auto expected = bytesOf(std::vector<float>(54, 0.5F));
    REQUIRE(filter.location.length == expected.size());
    CHECK(std::memcmp(pool->data() + filter.location.offset, expected.data(), expected.size()) ==
          0);
}

TEST_CASE("weights with one scale keep the asymmetric type of the input") {
    TestFile file = convolutionFile();
    file.tensors[1].scales = {0.25F};
    file.tensors[1].zeroPoints = {0};
    file.tensors[2].scales = {0.125F};
    file.tensors[2].zeroPoints = {0};
    const Network network = import(file);
    CHECK(inputOf(network, 0, 1).type == nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED);
    CHECK(inputOf(network, 0, 2).scale == 0.125F);
}

TEST_CASE("dilation uses the long form of CONV_2D") {
    TestFile file = floatConvolutionFile();
    file.operators[0].options = [](Builder& builder) {
        return schema::CreateConv2DOptions(builder, schema::Padding::SAME, 1, 1,
                                           FusedActivation::NONE, 2, 3)
                .Union();
    };
    const Network network = import(file);
    REQUIRE(network.model.main.operations[0].inputs.size() == 10);
    CHECK(inputOf(network, 0, 7).type == nn::OperandType::BOOL);
    CHECK(scalar(network, inputOf(network, 0, 8)) == 2);
    CHECK(scalar(network, inputOf(network, 0, 9)) == 3);
}

TEST_CASE("the depth multiplier of a depthwise convolution follows from the shapes") {
    TestFile file;
    file.tensors = {floats({1, 4, 4, 2}), floats({1, 3, 3, 6}), floats({1, 2, 2, 6})};
    file.tensors[1].data = bytesOf(std::vector<float>(54));
    file.operators = {{kDepthwiseConv2d,
                       {0, 1},
                       {2},
                       BuiltinOptions::DepthwiseConv2DOptions,
                       [](Builder& builder) {
                           return schema::CreateDepthwiseConv2DOptions(builder,
                                                                       schema::Padding::VALID, 1, 1)
                                   .Union();
                       }}};
    file.inputs = {0};
    file.outputs = {2};
    const Network network = import(file);
    CHECK(network.model.main.operations[0].type == nn::OperationType::DEPTHWISE_CONV_2D);
    CHECK(scalar(network, inputOf(network, 0, 6)) == 3);
    CHECK(network.macs == 2 * 2 * 6 * 9);
}

TEST_CASE("FULLY_CONNECTED that keeps dimensions is followed by RESHAPE") {
    TestFile file;
    file.tensors = {floats({1, 2, 4}), floats({3, 4}), floats({1, 2, 3})};
    file.tensors[1].data = bytesOf(std::vector<float>(12));
    file.operators = {{kFullyConnected,
                       {0, 1, -1},
                       {2},
                       BuiltinOptions::FullyConnectedOptions,
                       [](Builder& builder) {
                           return schema::CreateFullyConnectedOptions(
                                          builder, FusedActivation::NONE,
                                          schema::WeightsFormat::DEFAULT, true)
                                   .Union();
                       }}};
    file.inputs = {0};
    file.outputs = {2};
    const Network network = import(file);
    REQUIRE(network.model.main.operations.size() == 2);
    CHECK(network.model.main.operations[0].type == nn::OperationType::FULLY_CONNECTED);
    CHECK(network.model.main.operations[1].type == nn::OperationType::RESHAPE);
    const nn::Operand& product = inputOf(network, 1, 0);
    CHECK(std::vector<std::uint32_t>(product.dimensions) == std::vector<std::uint32_t>{2, 3});
    CHECK(network.macs == 24);
}

TEST_CASE("SQUEEZE becomes RESHAPE to the shape of its output") {
    const Network network = import(unaryFile(kSqueeze, floats({1, 1, 1, 5}), floats({1, 5})));
    CHECK(network.model.main.operations[0].type == nn::OperationType::RESHAPE);
    CHECK(inputOf(network, 0, 1).location.length == 8);
}

TEST_CASE("requantizing goes through float, as NNAPI has no operation for it") {
    TestTensor out = int8({1, 4}, 0.25F);
    out.type = TensorType::UINT8;
    const Network network = import(unaryFile(kQuantize, int8({1, 4}), out));
    REQUIRE(network.model.main.operations.size() == 2);
    CHECK(network.model.main.operations[0].type == nn::OperationType::DEQUANTIZE);
    CHECK(network.model.main.operations[1].type == nn::OperationType::QUANTIZE);
    CHECK(network.outputs[0].type == nn::OperandType::TENSOR_QUANT8_ASYMM);
}

TEST_CASE("a fused activation of CONCATENATION becomes an operation of its own") {
    TestFile file;
    file.tensors = {floats({1, 2}), floats({1, 3}), floats({1, 5})};
    file.operators = {{kConcatenation,
                       {0, 1},
                       {2},
                       BuiltinOptions::ConcatenationOptions,
                       [](Builder& builder) {
                           return schema::CreateConcatenationOptions(builder, -1,
                                                                     FusedActivation::RELU6)
                                   .Union();
                       }}};
    file.inputs = {0, 1};
    file.outputs = {2};
    const Network network = import(file);
    REQUIRE(network.model.main.operations.size() == 2);
    CHECK(scalar(network, inputOf(network, 0, 2)) == 1);  // the axis, counted from the front
    CHECK(network.model.main.operations[1].type == nn::OperationType::RELU6);
}

TEST_CASE("MEAN takes its axes once each and counted from the front") {
    TestFile file;
    file.tensors = {floats({1, 4, 4, 2}), constantInts({1, -2, 2}, {3}), floats({1, 2})};
    file.operators = {{kMean, {0, 1}, {2}, BuiltinOptions::ReducerOptions, [](Builder& builder) {
                           return schema::CreateReducerOptions(builder, false).Union();
                       }}};
    file.inputs = {0};
    file.outputs = {2};
    const Network network = import(file);
    CHECK(inputOf(network, 0, 1).location.length == 8);
    CHECK(scalar(network, inputOf(network, 0, 2)) == 0);
}

TEST_CASE("operator numbers are found in the old field of old files too") {
    TestFile file = convolutionFile();
    file.hasDeprecatedCodes = true;
    CHECK(import(file).model.main.operations[0].type == nn::OperationType::CONV_2D);
}

TEST_CASE("a constant that two operators read is one operand with two consumers") {
    TestFile file;
    file.tensors = {floats({1, 4}), floats({1, 4}), floats({1, 4}), floats({1, 4})};
    file.tensors[1].data = bytesOf(std::vector<float>{1, 2, 3, 4});
    file.operators = {{kAdd, {0, 1}, {2}}, {kMul, {2, 1}, {3}}};
    file.inputs = {0};
    file.outputs = {3};
    const Network network = import(file);
    CHECK(network.model.main.operations[0].inputs[1] == network.model.main.operations[1].inputs[1]);
    CHECK(inputOf(network, 0, 1).numberOfConsumers == 2);
}

TEST_CASE("exposing intermediates appends them behind the model's outputs") {
    TestFile file;
    file.tensors = {floats({1, 4}), floats({1, 4}), floats({1, 4})};
    file.tensors[1].name = "hidden";
    file.operators = {{kRelu, {0}, {1}}, {kRelu6, {1}, {2}}};
    file.inputs = {0};
    file.outputs = {2};
    const Network network = importTflite("net.tflite", file.bytes(), {.exposeIntermediates = true});
    REQUIRE(network.outputs.size() == 2);
    CHECK(network.outputs[1].name == "hidden");
    CHECK(inputOf(network, 1, 0).lifetime == nn::OperandLifeTime::SUBGRAPH_OUTPUT);
    CHECK(inputOf(network, 1, 0).numberOfConsumers == 1);
}

TEST_CASE("an operator that is not supported is named with its index") {
    TestFile file = unaryFile(kBitcast, floats({1, 4}), floats({1, 4}));
    CHECK(importError(file) ==
          "dir/net.tflite: operator 0 (BITCAST): NNAPI has no view of the bits of a value");
}

TEST_CASE("a buffer of the wrong size is refused with both sizes") {
    TestFile file = convolutionFile();
    file.tensors[1].data.resize(53);
    CHECK(importError(file) ==
          "dir/net.tflite: tensor 1 (weights): buffer 2 has 53 bytes, expected 54 "
          "for INT8 of 3x3x3x2");
}

TEST_CASE("a tensor index that does not exist is refused") {
    TestFile file = convolutionFile();
    file.operators[0].inputs = {0, 1, 9};
    CHECK(importError(file) ==
          "dir/net.tflite: operator 0 (CONV_2D) inputs: entry 2 is tensor 9, expected 0 to 3");
}

TEST_CASE("an open shape of an input is refused, unless it is given") {
    TestFile file = convolutionFile();
    file.tensors[0].shape = {1, -1, 4, 2};
    CHECK(importError(file) ==
          "dir/net.tflite: tensor 0 (in): has an open shape (1x0x4x2, 0 where it is open), "
          "expected --shape \"in\"=...");
    const Network network =
            importTflite("net.tflite", file.bytes(), {.shapes = {{"in", {1, 6, 4, 2}}}});
    CHECK(network.outputs[0].dimensions == std::vector<std::uint32_t>{1, 6, 4, 3});
    file.tensors[0].shape = {1, -2, 4, 2};
    CHECK(importError(file).find("dimension 1 is -2, expected") != std::string::npos);
}

TEST_CASE("shapes whose product overflows are refused") {
    TestFile file = convolutionFile();
    file.tensors[0].shape = {2147483647, 2147483647, 2147483647, 2147483647};
    CHECK(importError(file).find("is larger than 1073741824 bytes") != std::string::npos);
}

TEST_CASE("the shape of a result follows from the window, whatever the file says of it") {
    TestFile file = convolutionFile();
    file.tensors[3].shape = {1, 3, 4, 3};
    CHECK(import(file).outputs[0].dimensions == std::vector<std::uint32_t>{1, 4, 4, 3});
}

TEST_CASE("scales that do not fit the weights or the bias are refused") {
    SUBCASE("count") {
        TestFile file = convolutionFile();
        file.tensors[1].scales = {0.25F, 0.5F};
        file.tensors[1].zeroPoints = {0, 0};
        CHECK(importError(file) ==
              "dir/net.tflite: tensor 1 (weights): has 2 scales, expected 3 for "
              "dimension 0 of 3x3x3x2");
    }
    SUBCASE("zero") {
        TestFile file = convolutionFile();
        file.tensors[0].scales = {0.0F};
        CHECK(importError(file) == "dir/net.tflite: tensor 0 (in): scale 0 is 0, expected above 0");
    }
    SUBCASE("bias") {
        TestFile file = convolutionFile();
        file.tensors[2].scales = {0.125F, 0.3F, 0.5F};
        CHECK(importError(file).find("bias scale 1 is 0.3, expected 0.25") != std::string::npos);
    }
    SUBCASE("axis") {
        TestFile file = convolutionFile();
        file.tensors[1].axis = 4;
        CHECK(importError(file).find("quantized_dimension is 4") != std::string::npos);
    }
    SUBCASE("zero point") {
        TestFile file = convolutionFile();
        file.tensors[0].zeroPoints = {200};
        CHECK(importError(file) ==
              "dir/net.tflite: model inputs: tensor 0 (in) has zero point 200, expected -128 to "
              "127");
    }
}

TEST_CASE("an operator without its options is refused") {
    TestFile file = convolutionFile();
    file.operators[0].optionsType = BuiltinOptions::Pool2DOptions;
    file.operators[0].options = pool2x2();
    CHECK(importError(file) ==
          "dir/net.tflite: operator 0 (CONV_2D): has options of union type 5, "
          "expected its own");
}

TEST_CASE("a stride of zero is refused") {
    TestFile file = convolutionFile();
    file.operators[0].options = [](Builder& builder) {
        return schema::CreateConv2DOptions(builder, schema::Padding::SAME, 0, 1).Union();
    };
    CHECK(importError(file).find("stride is 0, expected at least 1") != std::string::npos);
}

TEST_CASE("an activation that NNAPI cannot fuse follows as an operation, or is refused") {
    TestFile file = unaryFile(kMaxPool2d, floats({1, 4, 4, 2}), floats({1, 2, 2, 2}));
    file.operators[0].optionsType = BuiltinOptions::Pool2DOptions;
    file.operators[0].options = pool2x2(FusedActivation::TANH);
    const Network network = import(file);
    REQUIRE(network.model.main.operations.size() == 2);
    CHECK(network.model.main.operations[1].type == nn::OperationType::TANH);
    file.operators[0].options = pool2x2(FusedActivation::SIGN_BIT);
    CHECK(importError(file).find("fused activation is 5") != std::string::npos);
}

TEST_CASE("reading what nothing makes, and making a thing twice, are refused") {
    SUBCASE("not made") {
        TestFile file = unaryFile(kRelu, floats({1, 4}), floats({1, 4}));
        file.tensors.push_back(floats({1, 4}));
        file.operators[0].inputs = {2};
        CHECK(importError(file).find("neither constant nor made by an earlier operator") !=
              std::string::npos);
    }
    SUBCASE("made twice") {
        TestFile file = unaryFile(kRelu, floats({1, 4}), floats({1, 4}));
        file.operators.push_back(file.operators[0]);
        CHECK(importError(file).find("already has a value") != std::string::npos);
    }
    SUBCASE("output that nothing makes") {
        TestFile file = unaryFile(kRelu, floats({1, 4}), floats({1, 4}));
        file.tensors.push_back(floats({1, 4}));
        file.outputs = {2};
        CHECK(importError(file).find("is an output of the model") != std::string::npos);
    }
}

TEST_CASE("an input that is an output too is copied") {
    TestFile file = unaryFile(kRelu, floats({1, 4}), floats({1, 4}));
    file.outputs = {1, 0};
    const Network network = import(file);
    REQUIRE(network.outputs.size() == 2);
    CHECK(network.model.main.operations[1].type == nn::OperationType::CAST);
}

TEST_CASE("all operators that are not supported are named at once, with their reasons") {
    TestFile file;
    file.tensors = {floats({1, 4}), floats({1, 4}), floats({1, 4}), floats({1, 4})};
    file.operators = {{kBitcast, {0}, {1}}, {kRelu, {1}, {2}}, {32, {2}, {3}}};
    file.operators[2].customName = "Mystery";
    file.inputs = {0};
    file.outputs = {3};
    const graph::Report report = examineTflite("net.tflite", file.bytes()).report;
    REQUIRE(report.unsupported.size() == 2);
    CHECK(report.operators == 3);
    CHECK(report.unsupported[0].name == "BITCAST");
    CHECK(report.unsupported[1].name == "CUSTOM \"Mystery\"");
    CHECK(report.unsupported[1].index == 2);
    CHECK(importError(file).find("operator 2 (CUSTOM \"Mystery\"): is a custom operator") !=
          std::string::npos);
}

TEST_CASE("the share of the work that needs no unsupported operator is counted") {
    TestFile file = floatConvolutionFile();
    const std::uint64_t macs = 4 * 4 * 3 * 3 * 3 * 2;
    // A second, equal convolution behind an operator that is not supported.
    file.tensors.insert(file.tensors.end(), {file.tensors[0], file.tensors[3]});
    file.operators.push_back({kBitcast, {0}, {4}});
    file.operators.push_back(file.operators[0]);
    file.operators[2].inputs = {4, 1, -1};
    file.operators[2].outputs = {5};
    file.outputs = {3, 5};
    const graph::Report report = examineTflite("net.tflite", file.bytes()).report;
    REQUIRE(report.unsupported.size() == 1);
    CHECK(report.macs == 2 * macs);
    CHECK(report.runnableMacs == macs);
    CHECK(report.unsupported[0].macsWithout == macs);
}

TEST_CASE("the part until a tensor leaves out what it does not need") {
    TestFile file;
    file.tensors = {floats({1, 4}), floats({1, 4}), floats({1, 4})};
    file.tensors[1].name = "hidden";
    file.operators = {{kRelu, {0}, {1}}, {kBitcast, {1}, {2}}};
    file.inputs = {0};
    file.outputs = {2};
    CHECK_FALSE(importError(file).empty());
    const Network network = importTflite("net.tflite", file.bytes(), {.until = "hidden"});
    CHECK(network.outputs[0].name == "hidden");
    CHECK(network.model.main.operations.size() == 1);
    CHECK(importTflite("net.tflite", file.bytes(), {.until = "1"}).outputs[0].name == "hidden");
    CHECK_THROWS_AS(importTflite("net.tflite", file.bytes(), {.until = "nothing"}), InputError);
}

TEST_CASE("a signature chooses graph, inputs and outputs by their names") {
    TestFile file = unaryFile(kRelu, floats({1, 4}), floats({1, 4}));
    TestGraph other{{floats({2, 3}), floats({2, 3})}, {{kRelu6, {0}, {1}}}, {0}, {1}};
    file.others = {other};
    file.signatures = {{"first", 0, {{"x", 0}}, {{"y", 1}}}, {"second", 1, {{"u", 0}}, {{"v", 1}}}};
    const Network network = importTflite("net.tflite", file.bytes(), {.signature = "second"});
    CHECK(network.inputs[0].name == "u");
    CHECK(network.outputs[0].name == "v");
    CHECK(network.model.main.operations[0].type == nn::OperationType::RELU6);
    CHECK_THROWS_WITH_AS(importTflite("net.tflite", file.bytes(), {.signature = "third"}),
                         "net.tflite: signatures: none is \"third\", expected one of first, second",
                         InputError);
}

TEST_CASE("a file of another kind or version is refused") {
    CHECK_THROWS_WITH_AS(
            importTflite("a.tflite", bytesOf(std::vector<char>(20, 'x'))),
            "a.tflite: header: is not a TensorFlow Lite model, expected the identifier "
            "\"TFL3\" at byte 4",
            InputError);
    TestFile file = convolutionFile();
    file.version = 2;
    CHECK(importError(file) == "dir/net.tflite: version: is 2, expected 3");
    CHECK_THROWS_AS(examineTflite("/nonexistent/file.tflite"), InputError);
}

TEST_SUITE_END();
