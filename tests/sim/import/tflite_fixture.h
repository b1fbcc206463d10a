// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <flatbuffers/flatbuffers.h>
#include <tflite_generated.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace vnpu::sim::test {

namespace schema = vnpu::sim::tflite::schema;

/// Numbers of builtin operators in the file format.
enum OperatorCode : std::int32_t {
    kAdd = 0,
    kAveragePool2d = 1,
    kConcatenation = 2,
    kConv2d = 3,
    kDepthwiseConv2d = 4,
    kDequantize = 6,
    kFullyConnected = 9,
    kMaxPool2d = 17,
    kMul = 18,
    kRelu = 19,
    kRelu6 = 21,
    kReshape = 22,
    kSoftmax = 25,
    kPad = 34,
    kMean = 40,
    kSqueeze = 43,
    kUnidirectionalSequenceLstm = 44,
    kQuantize = 114,
    kBitcast = 159,
};

struct TestTensor {
    std::vector<std::int32_t> shape;
    schema::TensorType type = schema::TensorType::FLOAT32;
    std::vector<float> scales = {};
    std::vector<std::int64_t> zeroPoints = {};
    std::int32_t axis = 0;
    std::vector<std::byte> data = {};
    std::string name = "t";
    bool isVariable = false;
    std::vector<std::int32_t> signature = {};  // of the shape: -1 where it is open
    // The parameters of a sparse tensor.
    std::function<flatbuffers::Offset<schema::SparsityParameters>(flatbuffers::FlatBufferBuilder&)>
            sparsity = {};
};

using OptionsMaker = std::function<flatbuffers::Offset<void>(flatbuffers::FlatBufferBuilder&)>;

struct TestOperator {
    std::int32_t code = 0;
    std::vector<std::int32_t> inputs, outputs;
    schema::BuiltinOptions optionsType = schema::BuiltinOptions::NONE;
    OptionsMaker options = {};
    schema::BuiltinOptions2 options2Type = schema::BuiltinOptions2::NONE;
    OptionsMaker options2 = {};
    std::string customName = {};
    std::vector<std::uint8_t> customOptions = {};
    std::vector<std::int32_t> intermediates = {};
};

/// A graph that others call.
struct TestGraph {
    std::vector<TestTensor> tensors;
    std::vector<TestOperator> operators;
    std::vector<std::int32_t> inputs, outputs;
};

struct TestSignature {
    std::string key;
    std::uint32_t graph = 0;
    std::vector<std::pair<std::string, std::uint32_t>> inputs, outputs;
};

/// A .tflite file: its first graph, and others. Each tensor has a buffer of its own; tensor i of
/// the first graph has buffer i + 1.
struct TestFile : TestGraph {
    std::vector<TestGraph> others;
    std::vector<TestSignature> signatures;
    std::uint32_t version = 3;
    bool hasDeprecatedCodes = false;  // the number in the old field alone

    std::vector<std::byte> bytes() const;
};

template <typename T>
std::vector<std::byte> bytesOf(const std::vector<T>& values) {
    const auto view = std::as_bytes(std::span(values));
    return {view.begin(), view.end()};
}

/// 1x4x4x2 int8 input (scale 0.5), a 3x3 SAME convolution to 3 channels, quantized per channel,
/// RELU; the bias is given.
TestFile convolutionFile();

/// The same with float32, without a bias.
TestFile floatConvolutionFile();

}  // namespace vnpu::sim::test
