// SPDX-License-Identifier: Apache-2.0
#include "sim/models/layer_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hw_model/regs/check.h"

namespace vnpu::sim {

namespace {

using Index = ModelBuilder::Index;

constexpr double kDeviations =
        4.5;  // chosen: a tensor's range holds all but 1 in 10^5 normal values
constexpr double kInputMeanSquare = 1.0 / 3.0;  // uniform in [-1, 1)
constexpr double kLogitVariance = 4.0;  // chosen: a softmax that is neither flat nor one-hot
constexpr int kMostWeight = 127;
constexpr double kBiasReach = 0.1;  // chosen: small compared with activations of mean square 1

/// Expected gain in mean square of the largest of a window of rectified values, roughly. chosen:
/// measured on 3 x 3
constexpr double kMaxPoolGain = 1.7;
/// The share of the mean square that an average of rectified values keeps, because their mean is
/// not 0. chosen: between no and full correlation
constexpr double kAveragePoolGain = 0.5;

std::uint32_t outputExtent(std::uint32_t input, std::uint32_t window, const WindowSpec& spec) {
    switch (spec.padding) {
        case WindowSpec::Padding::kSame:
            return (input - 1) / spec.stride + 1;
        case WindowSpec::Padding::kValid:
            return (input - window) / spec.stride + 1;
        case WindowSpec::Padding::kExplicit:
            return (input + 2 * spec.border - window) / spec.stride + 1;
    }
    return 0;
}

std::vector<std::uint32_t> windowOutput(const Layer& in, const WindowSpec& window,
                                        std::uint32_t channels) {
    return {in.dimensions[0], outputExtent(in.dimensions[1], window.height, window),
            outputExtent(in.dimensions[2], window.width, window), channels};
}

bool isRectified(LayerBuilder::Activation activation) {
    return activation != LayerBuilder::Activation::NONE;
}

/// Index along `dimension` of element `position` of a dense tensor.
class ChannelOf {
  public:
    ChannelOf(const std::vector<std::uint32_t>& dimensions, std::uint32_t dimension)
        : count_(dimensions[dimension]) {
        for (std::size_t i = dimension + 1; i < dimensions.size(); ++i) {
            inner_ *= dimensions[i];
        }
    }
    std::size_t operator()(std::size_t position) const { return position / inner_ % count_; }

  private:
    std::size_t inner_ = 1;
    std::size_t count_;
};

/// Uniform in [-1, 1].
double randomSigned(Random& random) {
    return random.nextUnit() * 2.0 - 1.0;
}

void fillUniform(std::vector<std::int8_t>& values, Random& random) {
    for (std::size_t i = 0; i < values.size();) {
        std::uint64_t bits = random.next();
        for (int byte = 0; byte < 8 && i < values.size(); ++byte, ++i, bits >>= 8U) {
            // Without -128 the mean is zero; even a small mean would add up over a large fan-in.
            const auto value = static_cast<std::int8_t>(bits & 0xFFU);
            values[i] = value == -128 ? std::int8_t{0} : value;
        }
    }
}

}  // namespace

LayerBuilder::LayerBuilder(std::string name, Numeric numeric, const NetworkOptions& options)
    : builder_(std::move(name)), numeric_(numeric), options_(options) {
    if (options.weightBits < NetworkOptions::kUniformBits) {
        distribution_.emplace(options.weightBits);
    }
}

OperandSpec LayerBuilder::activationSpec(std::vector<std::uint32_t> dimensions,
                                         Activation activation, double meanSquare) const {
    OperandSpec spec;
    spec.dimensions = std::move(dimensions);
    if (numeric_ == Numeric::kFloat32) {
        spec.type = nn::OperandType::TENSOR_FLOAT32;
        return spec;
    }
    spec.type = nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    // A rectified normal value has half of the mean square.
    const double reach =
            activation == Activation::RELU6
                    ? 6.0
                    : kDeviations * std::sqrt(meanSquare * (isRectified(activation) ? 2.0 : 1.0));
    spec.scale = static_cast<float>(isRectified(activation) ? reach / 255.0 : reach / 128.0);
    spec.zeroPoint = isRectified(activation) ? -128 : 0;
    return spec;
}

Layer LayerBuilder::input(const std::string& name, std::vector<std::uint32_t> dimensions) {
    dimensions.insert(dimensions.begin(), options_.batch);
    OperandSpec spec;
    spec.dimensions = dimensions;
    if (numeric_ == Numeric::kFloat32) {
        spec.type = nn::OperandType::TENSOR_FLOAT32;
    } else {
        spec.type = nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
        spec.scale = 1.0F / 128.0F;
    }
    const Index operand = builder_.addInput(spec, name);
    return {operand, std::move(dimensions), kInputMeanSquare};
}

Layer LayerBuilder::state(const std::string& name, std::vector<std::uint32_t> dimensions,
                          Activation activation, double meanSquare) {
    dimensions.insert(dimensions.begin(), options_.batch);
    const Index operand =
            builder_.addInput(activationSpec(dimensions, activation, meanSquare), name);
    return {operand, std::move(dimensions), meanSquare};
}

void LayerBuilder::addInt32(std::uint32_t value, std::vector<Index>& inputs) {
    inputs.push_back(builder_.addInt32(static_cast<std::int32_t>(value)));
}

void LayerBuilder::addPadding(const WindowSpec& window, std::vector<Index>& inputs) {
    constexpr std::uint32_t kSame = 1, kValid = 2;  // source: NDK, PaddingCode
    if (window.padding == WindowSpec::Padding::kExplicit) {
        for (int side = 0; side < 4; ++side) {
            addInt32(window.border, inputs);
        }
    } else {
        addInt32(window.padding == WindowSpec::Padding::kSame ? kSame : kValid, inputs);
    }
    addInt32(window.stride, inputs);
    addInt32(window.stride, inputs);
}

void LayerBuilder::addInt8Weights(OperandSpec weights, float inputScale,
                                  const std::vector<double>& reach, Random& random,
                                  std::vector<Index>& inputs) {
    std::vector<float> scales;
    scales.reserve(reach.size());
    // Weights of every distribution have the variance of uniform ones.
    const double reachInSteps =
            distribution_ ? std::sqrt(3.0) * distribution_->deviation() : double{kMostWeight};
    for (const double channelReach : reach) {
        scales.push_back(static_cast<float>(channelReach / reachInSteps));
    }
    const bool isPerChannel = weights.type == nn::OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    OperandSpec bias{.type = nn::OperandType::TENSOR_INT32,
                     .dimensions = {weights.dimensions[weights.channelDimension]}};
    if (isPerChannel) {
        weights.channelScales = scales;
    } else {
        weights.scale = scales[0];
        bias.scale = inputScale * weights.scale;
    }
    if (options_.zeroWeights) {
        inputs.push_back(builder_.addZeroConstant(weights));
        inputs.push_back(builder_.addZeroConstant(bias));
        return;
    }
    std::vector<std::int8_t> values(weights.sizeBytes());
    if (distribution_) {
        std::ranges::generate(values, [&] { return distribution_->draw(random); });
    } else {
        fillUniform(values, random);
    }
    inputs.push_back(builder_.addConstant(weights, std::as_bytes(std::span(values))));
    std::vector<std::int32_t> biases(bias.dimensions[0]);
    for (std::size_t i = 0; i < biases.size(); ++i) {
        const double scale = double{inputScale} * scales[isPerChannel ? i : 0];
        biases[i] =
                static_cast<std::int32_t>(std::lround(kBiasReach * randomSigned(random) / scale));
    }
    inputs.push_back(builder_.addConstant(bias, std::as_bytes(std::span(biases))));
}

void LayerBuilder::addFloatWeights(OperandSpec weights, const std::vector<double>& reach,
                                   Random& random, std::vector<Index>& inputs) {
    const std::uint32_t channels = weights.dimensions[weights.channelDimension];
    const OperandSpec bias{.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = {channels}};
    if (options_.zeroWeights) {
        inputs.push_back(builder_.addZeroConstant(weights));
        inputs.push_back(builder_.addZeroConstant(bias));
        return;
    }
    const ChannelOf channelOf(weights.dimensions, weights.channelDimension);
    std::vector<float> values(elementCount(weights.dimensions));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double channelReach = reach[reach.size() == 1 ? 0 : channelOf(i)];
        values[i] = static_cast<float>(channelReach * randomSigned(random));
    }
    inputs.push_back(builder_.addConstant(weights, std::as_bytes(std::span(values))));
    std::vector<float> biases(channels);
    for (float& value : biases) {
        value = static_cast<float>(kBiasReach * randomSigned(random));
    }
    inputs.push_back(builder_.addConstant(bias, std::as_bytes(std::span(biases))));
}

void LayerBuilder::addWeights(const std::string& name, const Layer& in, const WeightShape& shape,
                              double targetVariance, std::vector<Index>& inputs) {
    Random random(clientSeed(options_.seed, name));
    // Uniform in [-r, r] has variance r^2 / 3.
    const double reach = std::sqrt(3.0 * targetVariance / (shape.fanIn * in.meanSquare));
    std::vector<double> reaches(shape.isPerChannel ? shape.dimensions[shape.channelDimension] : 1,
                                reach);
    if (shape.isPerChannel) {
        for (double& value : reaches) {
            value *= 1.0 + 0.25 * randomSigned(random);
        }
    }
    OperandSpec spec;
    spec.dimensions = shape.dimensions;
    spec.channelDimension = shape.channelDimension;
    if (numeric_ == Numeric::kFloat32) {
        spec.type = nn::OperandType::TENSOR_FLOAT32;
        addFloatWeights(std::move(spec), reaches, random, inputs);
        return;
    }
    spec.type = shape.isPerChannel ? nn::OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL
                                   : nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    addInt8Weights(std::move(spec), builder_.spec(in.operand).scale, reaches, random, inputs);
}

Layer LayerBuilder::conv(const std::string& name, const Layer& in, std::uint32_t channels,
                         const WindowSpec& window, Activation activation) {
    return groupedConv(name, in, channels, 1, window, activation);
}

Layer LayerBuilder::groupedConv(const std::string& name, const Layer& in, std::uint32_t channels,
                                std::uint32_t groups, const WindowSpec& window,
                                Activation activation) {
    VNPU_CHECK(groups > 0 && in.dimensions[3] % groups == 0 && channels % groups == 0,
               "groups have as many channels each");
    const std::uint32_t depth = in.dimensions[3] / groups;
    const WeightShape shape{{channels, window.height, window.width, depth},
                            0,
                            window.height * window.width * depth,
                            true};
    std::vector<Index> inputs = {in.operand};
    addWeights(name, in, shape, isRectified(activation) ? 2.0 : 1.0, inputs);
    addPadding(window, inputs);
    if (groups > 1) {
        addInt32(groups, inputs);
    }
    inputs.push_back(builder_.addInt32(static_cast<std::int32_t>(activation)));
    if (groups > 1) {
        inputs.push_back(builder_.addBool(false));  // NHWC
    }
    const auto dimensions = windowOutput(in, window, channels);
    const Index out = builder_.addTemporary(activationSpec(dimensions, activation, 1.0), name);
    builder_.addOperation(
            groups > 1 ? nn::OperationType::GROUPED_CONV_2D : nn::OperationType::CONV_2D, inputs,
            out);
    return {out, dimensions, 1.0};
}

Layer LayerBuilder::depthwise(const std::string& name, const Layer& in, const WindowSpec& window,
                              Activation activation) {
    const std::uint32_t channels = in.dimensions[3];
    const WeightShape shape{
            {1, window.height, window.width, channels}, 3, window.height * window.width, true};
    std::vector<Index> inputs = {in.operand};
    addWeights(name, in, shape, isRectified(activation) ? 2.0 : 1.0, inputs);
    addPadding(window, inputs);
    addInt32(1, inputs);  // depth multiplier
    inputs.push_back(builder_.addInt32(static_cast<std::int32_t>(activation)));
    const auto dimensions = windowOutput(in, window, channels);
    const Index out = builder_.addTemporary(activationSpec(dimensions, activation, 1.0), name);
    builder_.addOperation(nn::OperationType::DEPTHWISE_CONV_2D, inputs, out);
    return {out, dimensions, 1.0};
}

Layer LayerBuilder::fullyConnected(const std::string& name, const Layer& in, std::uint32_t units,
                                   Activation activation) {
    VNPU_CHECK(in.dimensions.size() == 2, "a fully connected layer follows a flat one");
    const WeightShape shape{{units, in.dimensions[1]}, 0, in.dimensions[1], false};
    const double variance = isRectified(activation) ? 2.0 : kLogitVariance;
    const double meanSquare = isRectified(activation) ? 1.0 : kLogitVariance;
    std::vector<Index> inputs = {in.operand};
    addWeights(name, in, shape, variance, inputs);
    inputs.push_back(builder_.addInt32(static_cast<std::int32_t>(activation)));
    const std::vector<std::uint32_t> dimensions = {in.dimensions[0], units};
    const Index out =
            builder_.addTemporary(activationSpec(dimensions, activation, meanSquare), name);
    builder_.addOperation(nn::OperationType::FULLY_CONNECTED, inputs, out);
    return {out, dimensions, meanSquare};
}

Layer LayerBuilder::pool(nn::OperationType type, const std::string& name, const Layer& in,
                         const WindowSpec& window, double meanSquare) {
    std::vector<Index> inputs = {in.operand};
    addPadding(window, inputs);
    addInt32(window.width, inputs);
    addInt32(window.height, inputs);
    addInt32(0, inputs);  // no activation
    OperandSpec spec = builder_.spec(in.operand);
    spec.dimensions = windowOutput(in, window, in.dimensions[3]);
    const Index out = builder_.addTemporary(spec, name);
    builder_.addOperation(type, inputs, out);
    return {out, spec.dimensions, meanSquare};
}

Layer LayerBuilder::maxPool(const std::string& name, const Layer& in, const WindowSpec& window) {
    return pool(nn::OperationType::MAX_POOL_2D, name, in, window, in.meanSquare * kMaxPoolGain);
}

Layer LayerBuilder::averagePool(const std::string& name, const Layer& in,
                                const WindowSpec& window) {
    return pool(nn::OperationType::AVERAGE_POOL_2D, name, in, window,
                in.meanSquare * kAveragePoolGain);
}

Layer LayerBuilder::globalAveragePool(const std::string& name, const Layer& in) {
    return averagePool(name, in,
                       {.height = in.dimensions[1],
                        .width = in.dimensions[2],
                        .padding = WindowSpec::Padding::kValid});
}

Layer LayerBuilder::add(const std::string& name, const Layer& a, const Layer& b,
                        Activation activation) {
    // The sum of a rectified and a centered value stays positive for the most part.
    const double sum = a.meanSquare + b.meanSquare;
    const double meanSquare = isRectified(activation) ? 0.8 * sum : sum;
    const Index none = builder_.addInt32(static_cast<std::int32_t>(activation));
    const Index out =
            builder_.addTemporary(activationSpec(a.dimensions, activation, meanSquare), name);
    builder_.addOperation(nn::OperationType::ADD, {a.operand, b.operand, none}, out);
    return {out, a.dimensions, meanSquare};
}

Layer LayerBuilder::concatenate(const std::string& name, const std::vector<Layer>& inputs) {
    std::vector<Index> operands;
    std::vector<std::uint32_t> dimensions = inputs[0].dimensions;
    double meanSquare = 0.0;
    dimensions.back() = 0;
    for (const Layer& in : inputs) {
        operands.push_back(in.operand);
        dimensions.back() += in.dimensions.back();
        meanSquare += in.meanSquare * in.dimensions.back();
    }
    OperandSpec spec = builder_.spec(inputs[0].operand);
    spec.dimensions = dimensions;
    addInt32(static_cast<std::uint32_t>(dimensions.size() - 1), operands);
    const Index out = builder_.addTemporary(spec, name);
    builder_.addOperation(nn::OperationType::CONCATENATION, operands, out);
    return {out, dimensions, meanSquare / dimensions.back()};
}

Layer LayerBuilder::flatten(const std::string& name, const Layer& in) {
    const std::uint32_t rows = in.dimensions[0];
    return reshape(name, in,
                   {rows, static_cast<std::uint32_t>(elementCount(in.dimensions) / rows)});
}

Layer LayerBuilder::foldPixels(const std::string& name, const Layer& in, std::uint32_t side) {
    const auto& from = in.dimensions;
    VNPU_CHECK(side > 0 && from[1] % side == 0 && from[2] % side == 0,
               "rows and columns are multiples of the side");
    return reshape(name, in, {from[0], from[1] / side, from[2] / side, from[3] * side * side});
}

Layer LayerBuilder::reshape(const std::string& name, const Layer& in,
                            const std::vector<std::uint32_t>& dimensions) {
    OperandSpec spec = builder_.spec(in.operand);
    spec.dimensions = dimensions;
    const Index shape = builder_.addInt32Tensor({dimensions.begin(), dimensions.end()});
    const Index out = builder_.addTemporary(spec, name);
    builder_.addOperation(nn::OperationType::RESHAPE, {in.operand, shape}, out);
    return {out, dimensions, in.meanSquare};
}

Layer LayerBuilder::softmax(const std::string& name, const Layer& in) {
    OperandSpec spec = builder_.spec(in.operand);
    if (numeric_ == Numeric::kInt8) {
        spec.scale = 1.0F / 256.0F;  // source: NNAPI, SOFTMAX of TENSOR_QUANT8_ASYMM_SIGNED
        spec.zeroPoint = -128;
    }
    const Index beta = builder_.addFloat32(1.0F);
    const Index out = builder_.addTemporary(spec, name);
    builder_.addOperation(nn::OperationType::SOFTMAX, {in.operand, beta}, out);
    return {out, in.dimensions, 1.0 / in.dimensions.back()};
}

Network LayerBuilder::build(const Layer& output) {
    builder_.markOutput(output.operand);
    for (const Index further : furtherOutputs_) {
        builder_.markOutput(further);
    }
    return builder_.build(options_.exposeIntermediates);
}

}  // namespace vnpu::sim
