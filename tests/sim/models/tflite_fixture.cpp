// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/models/tflite_fixture.h"

namespace vnpu::sim::test {

namespace {

using flatbuffers::Offset;

Offset<schema::Tensor> makeTensor(flatbuffers::FlatBufferBuilder& builder, const TestTensor& tensor,
                                  std::uint32_t buffer) {
    Offset<schema::QuantizationParameters> quantization;
    if (!tensor.scales.empty()) {
        const auto scales = builder.CreateVector(tensor.scales);
        const auto zeroPoints = builder.CreateVector(tensor.zeroPoints);
        quantization = schema::CreateQuantizationParameters(builder, 0, 0, scales, zeroPoints, 0, 0,
                                                            tensor.axis);
    }
    const auto shape = builder.CreateVector(tensor.shape);
    const auto name = builder.CreateString(tensor.name);
    return schema::CreateTensor(builder, shape, tensor.type, buffer, name, quantization);
}

Offset<schema::OperatorCode> makeCode(flatbuffers::FlatBufferBuilder& builder, std::int32_t code,
                                      bool isDeprecated) {
    const auto old = static_cast<std::int8_t>(code > 127 ? 127 : code);
    return schema::CreateOperatorCode(builder, old, 0, 1, isDeprecated ? 0 : code);
}

}  // namespace

std::vector<std::byte> TestFile::bytes() const {
    flatbuffers::FlatBufferBuilder builder;
    std::vector<Offset<schema::Buffer>> buffers = {schema::CreateBuffer(builder)};
    std::vector<Offset<schema::Tensor>> tensorOffsets;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const auto* data = reinterpret_cast<const std::uint8_t*>(tensors[i].data.data());
        const auto vector = builder.CreateVector(data, tensors[i].data.size());
        buffers.push_back(schema::CreateBuffer(builder, vector));
        tensorOffsets.push_back(makeTensor(builder, tensors[i], static_cast<std::uint32_t>(i + 1)));
    }
    std::vector<Offset<schema::OperatorCode>> codes;
    std::vector<Offset<schema::Operator>> operatorOffsets;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        codes.push_back(makeCode(builder, operators[i].code, hasDeprecatedCodes));
        const Offset<void> options =
                operators[i].options ? operators[i].options(builder) : Offset<void>();
        const auto in = builder.CreateVector(operators[i].inputs);
        const auto out = builder.CreateVector(operators[i].outputs);
        operatorOffsets.push_back(schema::CreateOperator(builder, static_cast<std::uint32_t>(i), in,
                                                         out, operators[i].optionsType, options));
    }
    const auto graphTensors = builder.CreateVector(tensorOffsets);
    const auto graphInputs = builder.CreateVector(inputs);
    const auto graphOutputs = builder.CreateVector(outputs);
    const auto graphOperators = builder.CreateVector(operatorOffsets);
    const std::vector<Offset<schema::SubGraph>> graphs = {schema::CreateSubGraph(
            builder, graphTensors, graphInputs, graphOutputs, graphOperators)};
    const auto model =
            schema::CreateModel(builder, version, builder.CreateVector(codes),
                                builder.CreateVector(graphs), 0, builder.CreateVector(buffers));
    schema::FinishModelBuffer(builder, model);
    const auto view = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
    return {view.begin(), view.end()};
}

TestFile convolutionFile() {
    using schema::TensorType;
    TestFile file;
    std::vector<std::int8_t> weights(3 * 3 * 3 * 2);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] = static_cast<std::int8_t>(i);
    }
    file.tensors = {{.shape = {1, 4, 4, 2},
                     .type = TensorType::INT8,
                     .scales = {0.5F},
                     .zeroPoints = {3},
                     .name = "in"},
                    {.shape = {3, 3, 3, 2},
                     .type = TensorType::INT8,
                     .scales = {0.25F, 0.5F, 1.0F},
                     .zeroPoints = {0, 0, 0},
                     .axis = 0,
                     .data = bytesOf(weights),
                     .name = "weights"},
                    {.shape = {3},
                     .type = TensorType::INT32,
                     .scales = {0.125F, 0.25F, 0.5F},
                     .zeroPoints = {0, 0, 0},
                     .axis = 0,
                     .data = bytesOf(std::vector<std::int32_t>{10, 20, 30}),
                     .name = "bias"},
                    {.shape = {1, 4, 4, 3},
                     .type = TensorType::INT8,
                     .scales = {2.0F},
                     .zeroPoints = {-128},
                     .name = "out"}};
    file.operators = {{kConv2d,
                       {0, 1, 2},
                       {3},
                       schema::BuiltinOptions::Conv2DOptions,
                       [](flatbuffers::FlatBufferBuilder& builder) {
                           return schema::CreateConv2DOptions(builder, schema::Padding::SAME, 1, 1,
                                                              schema::FusedActivation::RELU)
                                   .Union();
                       }}};
    file.inputs = {0};
    file.outputs = {3};
    return file;
}

TestFile floatConvolutionFile() {
    TestFile file = convolutionFile();
    for (TestTensor& tensor : file.tensors) {
        tensor.type = schema::TensorType::FLOAT32;
        tensor.scales.clear();
        tensor.zeroPoints.clear();
    }
    file.tensors[1].data = bytesOf(std::vector<float>(54, 0.5F));
    file.tensors[2].data.clear();
    file.operators[0].inputs = {0, 1, -1};
    return file;
}

}  // namespace vnpu::sim::test
