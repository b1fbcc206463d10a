// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/import/tflite_fixture.h"

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
    const auto signature = tensor.signature.empty() ? 0 : builder.CreateVector(tensor.signature);
    const auto sparsity =
            tensor.sparsity ? tensor.sparsity(builder) : Offset<schema::SparsityParameters>();
    return schema::CreateTensor(builder, shape, tensor.type, buffer, name, quantization,
                                tensor.isVariable, sparsity, signature);
}

Offset<schema::OperatorCode> makeCode(flatbuffers::FlatBufferBuilder& builder,
                                      const TestOperator& op, bool isDeprecated) {
    const auto old = static_cast<std::int8_t>(op.code > 127 ? 127 : op.code);
    const auto custom = op.customName.empty() ? Offset<flatbuffers::String>()
                                              : builder.CreateString(op.customName);
    return schema::CreateOperatorCode(builder, old, custom, 1, isDeprecated ? 0 : op.code);
}

Offset<schema::Operator> makeOperator(flatbuffers::FlatBufferBuilder& builder,
                                      const TestOperator& op, std::uint32_t code) {
    const Offset<void> options = op.options ? op.options(builder) : Offset<void>();
    const Offset<void> options2 = op.options2 ? op.options2(builder) : Offset<void>();
    const auto in = builder.CreateVector(op.inputs);
    const auto out = builder.CreateVector(op.outputs);
    const auto custom = op.customOptions.empty() ? 0 : builder.CreateVector(op.customOptions);
    const auto intermediates =
            op.intermediates.empty() ? 0 : builder.CreateVector(op.intermediates);
    return schema::CreateOperator(builder, code, in, out, op.optionsType, options, custom, 0, 0,
                                  intermediates, 0, 0, op.options2Type, options2);
}

/// Appends buffers and codes.
Offset<schema::SubGraph> makeGraph(flatbuffers::FlatBufferBuilder& builder, const TestGraph& graph,
                                   bool isDeprecated, std::vector<Offset<schema::Buffer>>& buffers,
                                   std::vector<Offset<schema::OperatorCode>>& codes) {
    std::vector<Offset<schema::Tensor>> tensors;
    for (const TestTensor& tensor : graph.tensors) {
        const auto* data = reinterpret_cast<const std::uint8_t*>(tensor.data.data());
        const auto vector = builder.CreateVector(data, tensor.data.size());
        tensors.push_back(makeTensor(builder, tensor, static_cast<std::uint32_t>(buffers.size())));
        buffers.push_back(schema::CreateBuffer(builder, vector));
    }
    std::vector<Offset<schema::Operator>> operators;
    for (const TestOperator& op : graph.operators) {
        operators.push_back(makeOperator(builder, op, static_cast<std::uint32_t>(codes.size())));
        codes.push_back(makeCode(builder, op, isDeprecated));
    }
    const auto graphTensors = builder.CreateVector(tensors);
    const auto graphInputs = builder.CreateVector(graph.inputs);
    const auto graphOutputs = builder.CreateVector(graph.outputs);
    const auto graphOperators = builder.CreateVector(operators);
    return schema::CreateSubGraph(builder, graphTensors, graphInputs, graphOutputs, graphOperators);
}

Offset<schema::SignatureDef> makeSignature(flatbuffers::FlatBufferBuilder& builder,
                                           const TestSignature& signature) {
    const auto maps = [&](const std::vector<std::pair<std::string, std::uint32_t>>& named) {
        std::vector<Offset<schema::TensorMap>> offsets;
        for (const auto& [name, tensor] : named) {
            offsets.push_back(schema::CreateTensorMap(builder, builder.CreateString(name), tensor));
        }
        return builder.CreateVector(offsets);
    };
    const auto inputs = maps(signature.inputs);
    const auto outputs = maps(signature.outputs);
    const auto key = builder.CreateString(signature.key);
    return schema::CreateSignatureDef(builder, inputs, outputs, key, 0, signature.graph);
}

}  // namespace

std::vector<std::byte> TestFile::bytes() const {
    flatbuffers::FlatBufferBuilder builder;
    std::vector<Offset<schema::Buffer>> buffers = {schema::CreateBuffer(builder)};
    std::vector<Offset<schema::OperatorCode>> codes;
    std::vector<Offset<schema::SubGraph>> graphs = {
            makeGraph(builder, *this, hasDeprecatedCodes, buffers, codes)};
    for (const TestGraph& other : others) {
        graphs.push_back(makeGraph(builder, other, hasDeprecatedCodes, buffers, codes));
    }
    std::vector<Offset<schema::SignatureDef>> signatureOffsets;
    for (const TestSignature& signature : signatures) {
        signatureOffsets.push_back(makeSignature(builder, signature));
    }
    const auto codeVector = builder.CreateVector(codes);
    const auto graphVector = builder.CreateVector(graphs);
    const auto bufferVector = builder.CreateVector(buffers);
    const auto signatureVector = builder.CreateVector(signatureOffsets);
    const auto model = schema::CreateModel(builder, version, codeVector, graphVector, 0,
                                           bufferVector, 0, 0, signatureVector);
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
