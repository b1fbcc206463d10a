// SPDX-License-Identifier: Apache-2.0
// Networks over sequences, unrolled step by step: LSTM cells (Hochreiter and Schmidhuber, 1997) of
// the kinds that scheduling experiments run. Sizes are chosen to be those of small published
// models, not taken from one.
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "sim/models/zoo.h"

namespace vnpu::sim::zoo {

namespace {

constexpr double kCellRange = 8.0;  // chosen: a cell's state adds up over some steps
constexpr std::uint32_t kUnits = 512;

/// One layer of LSTM cells: its weights and its state between steps.
class LstmLayer {
  public:
    LstmLayer(LayerBuilder& net, std::string name, std::uint32_t units)
        : net_(net),
          name_(std::move(name)),
          units_(units),
          hidden_(net.zeroes(units, 1.0)),
          cell_(net.zeroes(units, kCellRange)) {}

    /// The hidden state after the next step.
    Layer step(const Layer& in) {
        const std::string at = fmt::format("{}_{}", name_, step_++);
        const Layer both = net_.concatenate(at + "_in", {in, hidden_});
        std::vector<Layer> gates;
        for (std::size_t i = 0; i < kGates.size(); ++i) {
            if (weights_.size() <= i) {
                weights_.push_back(net_.denseWeights(name_ + kGates[i], both, units_));
            }
            gates.push_back(net_.fullyConnected(at + kGates[i], both, weights_[i]));
        }
        const Layer input = net_.multiply(at + "_new", net_.logistic(at + "_i", gates[0]),
                                          net_.tanh(at + "_g", gates[2]), 1.0);
        const Layer kept =
                net_.multiply(at + "_kept", net_.logistic(at + "_f", gates[1]), cell_, kCellRange);
        cell_ = net_.accumulate(at + "_cell", kept, input, kCellRange);
        hidden_ = net_.multiply(at + "_hidden", net_.logistic(at + "_o", gates[3]),
                                net_.tanh(at + "_squashed", cell_), 1.0);
        return hidden_;
    }

    const Layer& hidden() const { return hidden_; }

  private:
    static constexpr std::array kGates = {"_input", "_forget", "_candidate", "_output"};

    LayerBuilder& net_;
    std::string name_;
    std::uint32_t units_;
    std::uint32_t step_ = 0;
    Layer hidden_, cell_;
    std::vector<LayerBuilder::DenseWeights> weights_;
};

/// A stack of LSTM layers over the complete sequence; returns the states of the last layer at all
/// steps.
std::vector<Layer> runStack(LayerBuilder& net, const std::string& name, const Layer& sequence,
                            std::uint32_t layers) {
    std::vector<LstmLayer> stack;
    for (std::uint32_t i = 0; i < layers; ++i) {
        stack.emplace_back(net, fmt::format("{}{}", name, i + 1), kUnits);
    }
    std::vector<Layer> states;
    for (std::uint32_t step = 0; step < net.steps(); ++step) {
        Layer x = net.stepOf(fmt::format("{}_x{}", name, step), sequence, step);
        for (LstmLayer& layer : stack) {
            x = layer.step(x);
        }
        states.push_back(x);
    }
    return states;
}

/// One dense layer over the states of all steps at once.
Layer classifySteps(LayerBuilder& net, const std::vector<Layer>& states, std::uint32_t classes) {
    const Layer rows = net.rowsOf("rows", net.concatenate("states", states), kUnits);
    return net.softmax("softmax",
                       net.fullyConnected("logits", rows, classes, LayerBuilder::Activation::NONE));
}

}  // namespace

Layer sentiment(LayerBuilder& net) {
    const Layer words = net.sequence("words", 128);
    const Layer last = runStack(net, "lstm", words, 1).back();
    return net.softmax("softmax",
                       net.fullyConnected("logits", last, 2, LayerBuilder::Activation::NONE));
}

Layer translation(LayerBuilder& net) {
    const Layer words = net.sequence("words", 512);
    // Without attention: the decoder runs over the states of the encoder, one per step.
    std::vector<Layer> states = runStack(net, "encoder", words, 2);
    LstmLayer first(net, "decoder1", kUnits);
    LstmLayer second(net, "decoder2", kUnits);
    for (Layer& state : states) {
        state = second.step(first.step(state));
    }
    return classifySteps(net, states, 8000);
}

Layer speech(LayerBuilder& net) {
    const Layer frames = net.sequence("frames", 240);
    return classifySteps(net, runStack(net, "lstm", frames, 3), 29);
}

}  // namespace vnpu::sim::zoo
