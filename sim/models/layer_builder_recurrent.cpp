// SPDX-License-Identifier: Apache-2.0
// LayerBuilder's layers of networks that run over a sequence.
#include <cstdint>
#include <utility>
#include <vector>

#include "hw_model/regs/check.h"
#include "sim/models/layer_builder.h"

namespace vnpu::sim {

namespace {

using Index = ModelBuilder::Index;

constexpr double kGateVariance = 4.0;  // chosen: a gate that is neither always open nor shut
constexpr double kUniformMeanSquare = 1.0 / 3.0;  // of values spread over [-1, 1)

}  // namespace

OperandSpec LayerBuilder::rangeSpec(std::vector<std::uint32_t> dimensions, double range) const {
    OperandSpec spec;
    spec.dimensions = std::move(dimensions);
    spec.type = numeric_ == Numeric::kFloat32 ? nn::OperandType::TENSOR_FLOAT32
                                              : nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    spec.scale = numeric_ == Numeric::kFloat32 ? 0.0F : static_cast<float>(range / 128.0);
    return spec;
}

Layer LayerBuilder::sequence(const std::string& name, std::uint32_t features) {
    const std::vector<std::uint32_t> dimensions = {options_.steps, options_.batch, features};
    return {builder_.addInput(rangeSpec(dimensions, 1.0), name), dimensions, kUniformMeanSquare};
}

Layer LayerBuilder::stepOf(const std::string& name, const Layer& sequence, std::uint32_t step) {
    OperandSpec spec = builder_.spec(sequence.operand);
    spec.dimensions = {1, sequence.dimensions[1], sequence.dimensions[2]};
    const auto asSigned = [](std::uint32_t value) { return static_cast<std::int32_t>(value); };
    const Index begin = builder_.addInt32Tensor({asSigned(step), 0, 0});
    const Index size = builder_.addInt32Tensor(
            {1, asSigned(sequence.dimensions[1]), asSigned(sequence.dimensions[2])});
    const Index slice = builder_.addTemporary(spec, name + "_slice");
    builder_.addOperation(nn::OperationType::SLICE, {sequence.operand, begin, size}, slice);
    return reshape(name, {slice, spec.dimensions, sequence.meanSquare},
                   {sequence.dimensions[1], sequence.dimensions[2]});
}

Layer LayerBuilder::zeroes(std::uint32_t channels, double range) {
    const std::vector<std::uint32_t> dimensions = {options_.batch, channels};
    return {builder_.addZeroConstant(rangeSpec(dimensions, range)), dimensions, kUniformMeanSquare};
}

LayerBuilder::DenseWeights LayerBuilder::denseWeights(const std::string& name, const Layer& in,
                                                      std::uint32_t units) {
    VNPU_CHECK(in.dimensions.size() == 2, "a fully connected layer follows a flat one");
    const WeightShape shape{{units, in.dimensions[1]}, 0, in.dimensions[1], false};
    std::vector<Index> operands;
    addWeights(name, in, shape, kGateVariance, operands);
    return {operands[0], operands[1], units};
}

Layer LayerBuilder::fullyConnected(const std::string& name, const Layer& in,
                                   const DenseWeights& weights) {
    const std::vector<std::uint32_t> dimensions = {in.dimensions[0], weights.units};
    const Index out = builder_.addTemporary(
            activationSpec(dimensions, Activation::NONE, kGateVariance), name);
    const Index none = builder_.addInt32(0);
    builder_.addOperation(nn::OperationType::FULLY_CONNECTED,
                          {in.operand, weights.weights, weights.bias, none}, out);
    return {out, dimensions, kGateVariance};
}

Layer LayerBuilder::unary(nn::OperationType type, const std::string& name, const Layer& in,
                          float scale, std::int32_t zeroPoint) {
    OperandSpec spec = builder_.spec(in.operand);
    if (numeric_ == Numeric::kInt8) {
        spec.scale = scale;
        spec.zeroPoint = zeroPoint;
    }
    const Index out = builder_.addTemporary(spec, name);
    builder_.addOperation(type, {in.operand}, out);
    return {out, in.dimensions, kUniformMeanSquare};
}

Layer LayerBuilder::logistic(const std::string& name, const Layer& in) {
    // source: NNAPI, LOGISTIC of TENSOR_QUANT8_ASYMM_SIGNED
    return unary(nn::OperationType::LOGISTIC, name, in, 1.0F / 256.0F, -128);
}

Layer LayerBuilder::tanh(const std::string& name, const Layer& in) {
    // source: NNAPI, TANH of TENSOR_QUANT8_ASYMM_SIGNED
    return unary(nn::OperationType::TANH, name, in, 1.0F / 128.0F, 0);
}

Layer LayerBuilder::binary(nn::OperationType type, const std::string& name, const Layer& a,
                           const Layer& b, double range) {
    const Index none = builder_.addInt32(0);
    const Index out = builder_.addTemporary(rangeSpec(a.dimensions, range), name);
    builder_.addOperation(type, {a.operand, b.operand, none}, out);
    return {out, a.dimensions, kUniformMeanSquare};
}

Layer LayerBuilder::multiply(const std::string& name, const Layer& a, const Layer& b,
                             double range) {
    return binary(nn::OperationType::MUL, name, a, b, range);
}

Layer LayerBuilder::accumulate(const std::string& name, const Layer& a, const Layer& b,
                               double range) {
    return binary(nn::OperationType::ADD, name, a, b, range);
}

Layer LayerBuilder::rowsOf(const std::string& name, const Layer& in, std::uint32_t channels) {
    return reshape(name, in,
                   {static_cast<std::uint32_t>(elementCount(in.dimensions) / channels), channels});
}

}  // namespace vnpu::sim
