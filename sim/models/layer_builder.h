// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/random.h"
#include "sim/models/model_builder.h"
#include "sim/models/network.h"
#include "sim/models/weight_distribution.h"

namespace vnpu::sim {

enum class Numeric { kInt8, kFloat32 };

/// A tensor of a network under construction and the expected size of its values.
struct Layer {
    ModelBuilder::Index operand = 0;
    std::vector<std::uint32_t> dimensions;
    double meanSquare = 1.0;  // expected, of the real values
};

/// The geometry of a window over the input.
struct WindowSpec {
    std::uint32_t height = 1, width = 1;
    std::uint32_t stride = 1;
    enum class Padding { kSame, kValid, kExplicit } padding = Padding::kSame;
    std::uint32_t border = 0;  // kExplicit: rows and columns of padding on every side
};

/// Builds networks of common layers with seeded random weights, uniform or of a given entropy.
/// int8: activations are quantized per tensor, convolution weights per channel, fully connected
/// weights per tensor. Weights are scaled to their fan-in (He, 2015), so that values neither vanish
/// nor saturate: the activations of every convolution have an expected mean square of 1.
class LayerBuilder {
  public:
    using Activation = nn10::FusedActivationFunc;

    LayerBuilder(std::string name, Numeric numeric, const NetworkOptions& options);

    /// Dimensions without the batch; values in [-1, 1).
    Layer input(const std::string& name, std::vector<std::uint32_t> dimensions);
    /// An input for an activation of that mean square which an earlier inference returned, with its
    /// quantization.
    Layer state(const std::string& name, std::vector<std::uint32_t> dimensions,
                Activation activation, double meanSquare);
    Layer conv(const std::string& name, const Layer& in, std::uint32_t channels,
               const WindowSpec& window, Activation activation);
    /// Each of the groups has its share of input and output channels: a GROUPED_CONV_2D, or a
    /// CONV_2D where there is one group.
    Layer groupedConv(const std::string& name, const Layer& in, std::uint32_t channels,
                      std::uint32_t groups, const WindowSpec& window, Activation activation);
    Layer depthwise(const std::string& name, const Layer& in, const WindowSpec& window,
                    Activation activation);
    Layer fullyConnected(const std::string& name, const Layer& in, std::uint32_t units,
                         Activation activation);
    /// Weights and bias of a fully connected layer for several inputs with the same quantization.
    struct DenseWeights {
        ModelBuilder::Index weights = 0, bias = 0;
        std::uint32_t units = 0;
    };
    DenseWeights denseWeights(const std::string& name, const Layer& in, std::uint32_t units);
    /// Without activation.
    Layer fullyConnected(const std::string& name, const Layer& in, const DenseWeights& weights);
    Layer maxPool(const std::string& name, const Layer& in, const WindowSpec& window);
    Layer averagePool(const std::string& name, const Layer& in, const WindowSpec& window);
    /// Average over all of height and width.
    Layer globalAveragePool(const std::string& name, const Layer& in);
    Layer add(const std::string& name, const Layer& a, const Layer& b, Activation activation);
    /// Along the channels.
    Layer concatenate(const std::string& name, const std::vector<Layer>& inputs);
    /// To batch x elements.
    Layer flatten(const std::string& name, const Layer& in);
    Layer softmax(const std::string& name, const Layer& in);
    /// The number of steps, of networks that run over a sequence.
    std::uint32_t steps() const { return options_.steps; }
    /// An input with that number of steps; values in [-1, 1).
    Layer sequence(const std::string& name, std::uint32_t features);
    /// Batch x features of one step.
    Layer stepOf(const std::string& name, const Layer& sequence, std::uint32_t step);
    /// Batch x channels of real zeros, quantized as `range` values in [-range, range).
    Layer zeroes(std::uint32_t channels, double range);
    Layer logistic(const std::string& name, const Layer& in);
    Layer tanh(const std::string& name, const Layer& in);
    /// Values of the results in [-range, range), as in accumulate().
    Layer multiply(const std::string& name, const Layer& a, const Layer& b, double range);
    Layer accumulate(const std::string& name, const Layer& a, const Layer& b, double range);
    /// Batch x height x width x channels to as many elements with `side` times fewer rows and
    /// columns and side * side times as many channels, which is what a layer with that stride
    /// reads. The elements keep their order, unlike those of SPACE_TO_DEPTH, and so do not move.
    Layer foldPixels(const std::string& name, const Layer& in, std::uint32_t side);
    /// Batch x (count x channels) to (batch x count) x channels.
    Layer rowsOf(const std::string& name, const Layer& in, std::uint32_t channels);

    /// Adds an output after that of build().
    void alsoOutput(const Layer& output) { furtherOutputs_.push_back(output.operand); }
    Network build(const Layer& output);

  private:
    struct WeightShape {
        std::vector<std::uint32_t> dimensions;
        std::uint32_t channelDimension = 0;
        std::uint32_t fanIn = 1;
        bool isPerChannel = true;
    };

    OperandSpec activationSpec(std::vector<std::uint32_t> dimensions, Activation activation,
                               double meanSquare) const;
    /// Appends weights and bias to `inputs`.
    void addWeights(const std::string& name, const Layer& in, const WeightShape& shape,
                    double targetVariance, std::vector<ModelBuilder::Index>& inputs);
    void addInt8Weights(OperandSpec weights, float inputScale, const std::vector<double>& reach,
                        Random& random, std::vector<ModelBuilder::Index>& inputs);
    void addFloatWeights(OperandSpec weights, const std::vector<double>& reach, Random& random,
                         std::vector<ModelBuilder::Index>& inputs);
    void addPadding(const WindowSpec& window, std::vector<ModelBuilder::Index>& inputs);
    void addInt32(std::uint32_t value, std::vector<ModelBuilder::Index>& inputs);
    OperandSpec rangeSpec(std::vector<std::uint32_t> dimensions, double range) const;
    Layer unary(nn::OperationType type, const std::string& name, const Layer& in, float scale,
                std::int32_t zeroPoint);
    Layer binary(nn::OperationType type, const std::string& name, const Layer& a, const Layer& b,
                 double range);
    Layer reshape(const std::string& name, const Layer& in,
                  const std::vector<std::uint32_t>& dimensions);
    Layer pool(nn::OperationType type, const std::string& name, const Layer& in,
               const WindowSpec& window, double meanSquare);

    ModelBuilder builder_;
    std::vector<ModelBuilder::Index> furtherOutputs_;
    Numeric numeric_;
    NetworkOptions options_;
    std::optional<WeightDistribution> distribution_;  // nothing: uniform
};

}  // namespace vnpu::sim
