// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/operation_rules.h"

#include <doctest/doctest.h>

#include "tests/driver/validation/valid_models.h"

using namespace vnpu::driver::test;
using android::hardware::hidl_enum_range;

TEST_SUITE_BEGIN("driver/validation/operation_rules");

namespace {
constexpr OperandType kSignedByte = OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
constexpr OperandType kInteger = OperandType::TENSOR_INT32;

/// One operation with inputs of these types: tensors become model inputs, scalars constants.
Model single(OperationType type, const std::vector<OperandType>& inputs, OperandType output,
             std::size_t rank) {
    ValidModelBuilder builder;
    const std::vector<std::uint32_t> dimensions(rank, 2);
    std::vector<std::uint32_t> indexes;
    for (const OperandType input : inputs) {
        const bool isScalar = input == OperandType::INT32 || input == OperandType::FLOAT32 ||
                              input == OperandType::FLOAT16 || input == OperandType::BOOL;
        indexes.push_back(isScalar ? builder.scalar(input) : builder.input(input, dimensions));
    }
    const auto result = builder.output(output, dimensions);
    builder.operation(type, indexes, {result});
    return builder.build();
}

std::vector<OperandType> scalars(std::vector<OperandType> types, std::size_t integers,
                                 bool hasLayout = false, std::size_t dilations = 0) {
    types.insert(types.end(), integers, OperandType::INT32);
    if (hasLayout) {
        types.push_back(OperandType::BOOL);
    }
    types.insert(types.end(), dilations, OperandType::INT32);
    return types;
}

/// A convolution of any legal types, with matching bias and scales.
Model convolution(OperationType type, const std::vector<OperandType>& inputs) {
    Model model = single(type, inputs, inputs[0], 4);
    model.main.operands[2].dimensions = {2};
    if (inputs[2] == kInteger) {
        model.main.operands[2].scale = 0.25F;  // 0.5 x 0.5
    }
    if (inputs[1] == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        nn::V1_2::SymmPerChannelQuantParams quant;
        quant.scales = {0.5F, 0.25F};
        quant.channelDim = type == OperationType::CONV_2D ? 0 : 3;
        model.main.operands[1].extraParams.channelQuant(quant);
        model.main.operands[2].scale = 0.0F;
    }
    return model;
}

Model probability(OperationType type, const std::vector<OperandType>& inputs) {
    Model model = single(type, inputs, inputs[0], 2);
    Operand& output = model.main.operands[model.main.outputIndexes[0]];
    if (output.scale != 0.0F) {
        output.scale = 1.0F / 256.0F;
        output.zeroPoint = output.type == kSignedByte ? -128 : 0;
    }
    return model;
}

/// Applies every error in a valid model's operation that a check of types and counts must detect.
void checkSignatureIsTight(const Model& valid) {
    checkValid(valid);
    const Operation& operation = valid.main.operations[0];
    for (std::size_t i = 0; i < operation.inputs.size(); ++i) {
        Model fewer = valid;
        std::vector<std::uint32_t> inputs = operation.inputs;
        --fewer.main.operands[inputs[i]].numberOfConsumers;
        inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(i));
        fewer.main.operations[0].inputs = inputs;
        CAPTURE(i);
        CHECK_FALSE(vnpu::driver::validateModel(fewer).has_value());
    }
    Model moreInputs = valid;
    ++moreInputs.main.operands[operation.inputs[0]].numberOfConsumers;
    moreInputs.main.operations[0].inputs = appended(operation.inputs, operation.inputs[0]);
    CHECK_FALSE(vnpu::driver::validateModel(moreInputs).has_value());

    Model moreOutputs = valid;
    const auto fresh = static_cast<std::uint32_t>(valid.main.operands.size());
    moreOutputs.main.operands =
            appended(valid.main.operands, valid.main.operands[operation.outputs[0]]);
    moreOutputs.main.operands[fresh].lifetime = OperandLifeTime::TEMPORARY_VARIABLE;
    moreOutputs.main.operations[0].outputs = appended(operation.outputs, fresh);
    CHECK_FALSE(vnpu::driver::validateModel(moreOutputs).has_value());
}

}  // namespace

TEST_CASE("operation types outside the ranges are refused [E-8]") {
    for (const std::int32_t type : {-1, 102, 9999, 10001}) {
        Model model = additionModel();
        model.main.operations[0].type = static_cast<OperationType>(type);
        checkInvalid(model, "which HAL 1.3 does not have");
    }
}

TEST_CASE("a vendor's own operation takes anything; whether it is supported is no rule [E-8]") {
    Model model = additionModel();
    model.main.operations[0].type = OperationType::OEM_OPERATION;
    checkValid(model);
    for (const OperandType type : {OperandType::TENSOR_OEM_BYTE, OperandType::OEM}) {
        auto& output = model.main.operands[model.main.outputIndexes[0]];
        output.type = type;
        if (type == OperandType::OEM) {
            output.dimensions = {};
        }
        checkValid(model);
    }
    model.main.operations[0].inputs = {1000};
    checkInvalid(model, "1000");
    Model addition = additionModel();
    addition.main.operands[addition.main.outputIndexes[0]].type = OperandType::TENSOR_OEM_BYTE;
    checkInvalid(addition, "fits none of its signatures");
}

TEST_CASE("an extension's operation is accepted if its prefix is declared [E-8]") {
    Model model = additionModel();
    model.main.operations[0].type = static_cast<OperationType>(9 << 16 | 1);
    checkInvalid(model, "prefix 9");
    model.extensionNameToPrefix = {{.name = "com.example.ops", .prefix = 9}};
    checkValid(model);
}

TEST_CASE(
        "CONV_2D takes padding as a scheme or as numbers, with or without layout and dilation "
        "[E-8]") {
    const std::vector<OperandType> data = {kFloat, kFloat, kFloat};
    checkSignatureIsTight(convolution(OperationType::CONV_2D, scalars(data, 4)));
    checkValid(convolution(OperationType::CONV_2D, scalars(data, 4, true)));
    checkValid(convolution(OperationType::CONV_2D, scalars(data, 4, true, 2)));
    checkSignatureIsTight(convolution(OperationType::CONV_2D, scalars(data, 7)));
    checkValid(convolution(OperationType::CONV_2D, scalars(data, 7, true)));
    checkValid(convolution(OperationType::CONV_2D, scalars(data, 7, true, 2)));
    checkInvalid(convolution(OperationType::CONV_2D, scalars(data, 4, true, 1)),
                 "fits none of its signatures");
    checkInvalid(convolution(OperationType::CONV_2D, scalars(data, 5)),
                 "fits none of its signatures");
}

TEST_CASE("DEPTHWISE_CONV_2D has one number more, its multiplier [E-8]") {
    const std::vector<OperandType> data = {kFloat, kFloat, kFloat};
    checkSignatureIsTight(convolution(OperationType::DEPTHWISE_CONV_2D, scalars(data, 5)));
    checkValid(convolution(OperationType::DEPTHWISE_CONV_2D, scalars(data, 5, true, 2)));
    checkSignatureIsTight(convolution(OperationType::DEPTHWISE_CONV_2D, scalars(data, 8)));
    checkValid(convolution(OperationType::DEPTHWISE_CONV_2D, scalars(data, 8, true)));
    checkInvalid(convolution(OperationType::DEPTHWISE_CONV_2D, scalars(data, 7)),
                 "fits none of its signatures");
}

TEST_CASE(
        "convolutions take float32, float16 and both 8-bit types, with bias and filter to go with "
        "them [E-8]") {
    constexpr OperandType kPerChannel = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    const std::vector<std::vector<OperandType>> legal = {
            {kFloat, kFloat, kFloat},       {kHalf, kHalf, kHalf},
            {kByte, kByte, kInteger},       {kSignedByte, kSignedByte, kInteger},
            {kByte, kPerChannel, kInteger}, {kSignedByte, kPerChannel, kInteger}};
    for (const auto type : {OperationType::CONV_2D, OperationType::DEPTHWISE_CONV_2D}) {
        const std::size_t integers = type == OperationType::CONV_2D ? 4 : 5;
        for (const auto& data : legal) {
            checkValid(convolution(type, scalars(data, integers)));
        }
        checkInvalid(convolution(type, scalars({kFloat, kHalf, kFloat}, integers)),
                     "fits none of its signatures");
        checkInvalid(convolution(type, scalars({kFloat, kFloat, kInteger}, integers)),
                     "fits none of its signatures");
        checkInvalid(convolution(type, scalars({kFloat, kPerChannel, kFloat}, integers)),
                     "fits none of its signatures");
        checkInvalid(convolution(type, scalars({kByte, kSignedByte, kInteger}, integers)),
                     "fits none of its signatures");
        checkInvalid(convolution(type, scalars({kInteger, kInteger, kInteger}, integers)),
                     "fits none of its signatures");
    }
}

TEST_CASE("a quantized bias has the product of the scales of input and filter [E-8]") {
    Model model = convolutionModel();
    model.main.operands[kConvBias].scale = 0.126F;
    checkInvalid(model, "scale of the bias is 0.126, expected 0.125");
    model.main.operands[kConvBias].scale = 0.0F;
    checkInvalid(model, "scale of the bias");
    model.main.operands[kConvBias].scale = 0.1250001F;  // rounding
    checkValid(model);
}

TEST_CASE("the bias of a per-channel filter has scale 0 [E-8]") {
    Model model =
            convolution(OperationType::CONV_2D,
                        scalars({kByte, OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL, kInteger}, 4));
    model.main.operands[2].scale = 0.25F;
    checkInvalid(model, "scale of the bias is 0.25, expected 0");
}

TEST_CASE(
        "a per-channel filter has its channels first for CONV_2D and last for DEPTHWISE_CONV_2D "
        "[E-8]") {
    const std::vector<OperandType> data = {kByte, OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
                                           kInteger};
    Model conv = convolution(OperationType::CONV_2D, scalars(data, 4));
    conv.main.operands[1].extraParams.channelQuant().channelDim = 3;
    checkInvalid(conv, "channels of the filter are dimension 3, expected 0");
    Model depthwise = convolution(OperationType::DEPTHWISE_CONV_2D, scalars(data, 5));
    depthwise.main.operands[1].extraParams.channelQuant().channelDim = 0;
    checkInvalid(depthwise, "channels of the filter are dimension 0, expected 3");
}

TEST_CASE("convolutions and pooling work on tensors of rank 4 [E-8]") {
    for (const std::uint32_t operand : {kConvInput, kConvMiddle}) {
        Model model = convolutionModel();
        model.main.operands[operand].dimensions = {4, 4, 2};
        checkInvalid(model, "has rank 3, expected 4");
    }
    Model filter = convolutionModel();
    filter.main.operands[kConvFilter].dimensions = {3, 2};
    checkInvalid(filter, "input 1 has rank 2, expected 4");
    Model bias = convolutionModel();
    bias.main.operands[kConvBias].dimensions = {1, 3};
    checkInvalid(bias, "input 2 has rank 2, expected 1");
    checkInvalid(single(OperationType::MAX_POOL_2D, scalars({kFloat}, 6), kFloat, 3),
                 "has rank 3, expected 4");
}

TEST_CASE("FULLY_CONNECTED takes weights and bias of its input's type [E-8]") {
    const auto layer = [](const std::vector<OperandType>& data) {
        Model model = single(OperationType::FULLY_CONNECTED, scalars(data, 1), data[0], 2);
        model.main.operands[2].dimensions = {2};
        model.main.operands[2].scale = data[2] == kInteger ? 0.25F : 0.0F;
        return model;
    };
    checkSignatureIsTight(layer({kFloat, kFloat, kFloat}));
    checkValid(layer({kHalf, kHalf, kHalf}));
    checkValid(layer({kByte, kByte, kInteger}));
    checkValid(layer({kSignedByte, kSignedByte, kInteger}));
    checkInvalid(layer({kByte, kSignedByte, kInteger}), "fits none of its signatures");
    Model model = layer({kByte, kByte, kInteger});
    model.main.operands[2].scale = 0.5F;
    checkInvalid(model, "scale of the bias is 0.5, expected 0.25");
    model = layer({kFloat, kFloat, kFloat});
    model.main.operands[1].dimensions = {2, 1, 2};
    checkInvalid(model, "input 1 has rank 3, expected 2");
}

TEST_CASE("pooling takes padding as a scheme or as numbers, with or without layout [E-8]") {
    for (const auto type : {OperationType::AVERAGE_POOL_2D, OperationType::MAX_POOL_2D}) {
        checkSignatureIsTight(single(type, scalars({kFloat}, 6), kFloat, 4));
        checkValid(single(type, scalars({kFloat}, 6, true), kFloat, 4));
        checkSignatureIsTight(single(type, scalars({kFloat}, 9), kFloat, 4));
        checkValid(single(type, scalars({kFloat}, 9, true), kFloat, 4));
        for (const OperandType data : {kHalf, kByte, kSignedByte}) {
            checkValid(single(type, scalars({data}, 6), data, 4));
        }
        checkInvalid(single(type, scalars({kFloat}, 7), kFloat, 4), "fits none of its signatures");
        checkInvalid(single(type, scalars({kInteger}, 6), kInteger, 4),
                     "fits none of its signatures");
    }
}

TEST_CASE("ADD and MUL take two tensors of one type, integers too [E-8]") {
    for (const auto type : {OperationType::ADD, OperationType::MUL}) {
        for (const OperandType data : {kFloat, kHalf, kByte, kSignedByte, kInteger}) {
            checkSignatureIsTight(single(type, scalars({data, data}, 1), data, 2));
        }
        checkInvalid(single(type, scalars({kFloat, kHalf}, 1), kFloat, 2),
                     "fits none of its signatures");
        checkInvalid(single(type, scalars({kFloat, kFloat}, 1), kHalf, 2),
                     "fits none of its signatures");
        checkInvalid(single(type, {kFloat, kFloat, OperandType::FLOAT32}, kFloat, 2),
                     "fits none of its signatures");
        checkInvalid(
                single(type, scalars({OperandType::TENSOR_BOOL8, OperandType::TENSOR_BOOL8}, 1),
                       OperandType::TENSOR_BOOL8, 2),
                "fits none of its signatures");
    }
}

TEST_CASE("activations keep type and quantization [E-8]") {
    for (const auto type : {OperationType::RELU, OperationType::RELU1, OperationType::RELU6}) {
        for (const OperandType data : {kFloat, kHalf, kByte, kSignedByte}) {
            checkSignatureIsTight(single(type, {data}, data, 2));
        }
        Model model = single(type, {kByte}, kByte, 2);
        model.main.operands[1].scale = 0.25F;
        checkInvalid(model, "expected the input's 0.5 and 0");
        model.main.operands[1].scale = 0.5F;
        model.main.operands[1].zeroPoint = 3;
        checkInvalid(model, "zero point 3");
    }
}

TEST_CASE("SOFTMAX takes beta in its input's precision and perhaps an axis [E-8]") {
    checkSignatureIsTight(probability(OperationType::SOFTMAX, {kFloat, OperandType::FLOAT32}));
    checkValid(probability(OperationType::SOFTMAX,
                           {kFloat, OperandType::FLOAT32, OperandType::INT32}));
    checkValid(probability(OperationType::SOFTMAX, {kHalf, OperandType::FLOAT16}));
    checkValid(probability(OperationType::SOFTMAX, {kByte, OperandType::FLOAT32}));
    checkInvalid(probability(OperationType::SOFTMAX, {kHalf, OperandType::FLOAT32}),
                 "fits none of its signatures");
}

TEST_CASE("quantized probabilities are 256ths from the lowest value [E-8]") {
    for (const auto type : {OperationType::SOFTMAX, OperationType::LOGISTIC}) {
        for (const OperandType data : {kByte, kSignedByte}) {
            const std::vector<OperandType> inputs =
                    type == OperationType::SOFTMAX
                            ? std::vector<OperandType>{data, OperandType::FLOAT32}
                            : std::vector<OperandType>{data};
            checkValid(probability(type, inputs));
            Model scale = probability(type, inputs);
            Operand& output = scale.main.operands[scale.main.outputIndexes[0]];
            output.scale = 1.0F / 128.0F;
            checkInvalid(scale, "expected 1/256");
            output.scale = 1.0F / 256.0F;
            output.zeroPoint += 1;
            checkInvalid(scale, "expected 1/256");
        }
    }
    checkSignatureIsTight(probability(OperationType::LOGISTIC, {kFloat}));
}

TEST_CASE("RESHAPE, PAD and MEAN take their shapes as integer tensors [E-8]") {
    const auto withNumbers = [](Model model, const std::vector<std::uint32_t>& dimensions) {
        model.main.operands[1].dimensions = dimensions;
        return model;
    };
    const Model reshape = single(OperationType::RESHAPE, {kByte, kInteger}, kByte, 2);
    const Model pad = single(OperationType::PAD, {kByte, kInteger}, kByte, 2);
    const Model mean = single(OperationType::MEAN, {kHalf, kInteger, OperandType::INT32}, kHalf, 2);
    checkSignatureIsTight(withNumbers(reshape, {2}));
    checkSignatureIsTight(withNumbers(pad, {2, 2}));
    checkSignatureIsTight(withNumbers(mean, {1}));
    checkInvalid(withNumbers(reshape, {1, 2}), "input 1 has rank 2, expected 1");
    checkInvalid(withNumbers(pad, {3, 2}), "input 1 has shape [3, 2], expected");
    checkInvalid(single(OperationType::RESHAPE, {kFloat, kFloat}, kFloat, 2),
                 "fits none of its signatures");
    checkInvalid(single(OperationType::PAD, {kFloat, kInteger}, kHalf, 2),
                 "fits none of its signatures");
    for (Model model : {withNumbers(reshape, {2}), withNumbers(pad, {2, 2})}) {
        model.main.operands[2].scale = 0.25F;
        checkInvalid(model, "expected the input's");
    }
}

TEST_CASE("CONCATENATION takes one tensor or more of one type, then the axis [E-8]") {
    for (std::size_t count = 1; count <= 5; ++count) {
        checkValid(single(OperationType::CONCATENATION,
                          scalars(std::vector<OperandType>(count, kByte), 1), kByte, 2));
    }
    checkInvalid(single(OperationType::CONCATENATION, {OperandType::INT32}, kByte, 2),
                 "fits none of its signatures");
    checkInvalid(single(OperationType::CONCATENATION, {kByte, kByte}, kByte, 2),
                 "fits none of its signatures");
    checkInvalid(
            single(OperationType::CONCATENATION, {kByte, kFloat, OperandType::INT32}, kByte, 2),
            "fits none of its signatures");
    checkInvalid(single(OperationType::CONCATENATION, {kByte, kByte, OperandType::INT32},
                        kSignedByte, 2),
                 "fits none of its signatures");
}

TEST_CASE("QUANTIZE goes from floats to 8 bits, DEQUANTIZE back [E-8]") {
    for (const OperandType from : {kFloat, kHalf}) {
        for (const OperandType to : {kByte, kSignedByte}) {
            checkSignatureIsTight(single(OperationType::QUANTIZE, {from}, to, 2));
            checkSignatureIsTight(single(OperationType::DEQUANTIZE, {to}, from, 2));
        }
    }
    checkValid(single(OperationType::DEQUANTIZE, {OperandType::TENSOR_QUANT8_SYMM}, kFloat, 2));
    checkInvalid(single(OperationType::QUANTIZE, {kByte}, kByte, 2), "fits none of its signatures");
    checkInvalid(single(OperationType::QUANTIZE, {kFloat}, kHalf, 2),
                 "fits none of its signatures");
    checkInvalid(single(OperationType::DEQUANTIZE, {kFloat}, kFloat, 2),
                 "fits none of its signatures");
    checkInvalid(single(OperationType::DEQUANTIZE, {OperandType::TENSOR_QUANT16_SYMM}, kFloat, 2),
                 "fits none of its signatures");
}

TEST_CASE("each operand of a convolution has one type only, but for the filter [E-8]") {
    const Model valid = convolutionModel();
    const Operation& operation = valid.main.operations[0];
    for (const std::uint32_t index : operation.inputs) {
        for (const OperandType type : hidl_enum_range<OperandType>{}) {
            if (type == valid.main.operands[index].type ||
                (index == kConvFilter && type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL)) {
                continue;
            }
            Model model = valid;
            model.main.operands[index].type = type;
            CAPTURE(index);
            CAPTURE(static_cast<int>(type));
            CHECK_FALSE(vnpu::driver::validateModel(model).has_value());
        }
    }
}

TEST_CASE("an input that is not optional has a value [E-8]") {
    Model model = convolutionModel();
    model.main.operands[kConvBias].lifetime = OperandLifeTime::NO_VALUE;
    model.main.operands[kConvBias].location = {};
    checkInvalid(model, "input 2 has no value");
}

TEST_SUITE_END();
