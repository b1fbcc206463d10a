// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/import/onnx/operator_context.h"
#include "sim/import/onnx/operators/real.h"

namespace vnpu::sim::onnx {

struct Activation {
    std::string name;
    float alpha = 0.0F, beta = 0.0F;
};

/// The function of the activation's name; refuses one that is not known.
Real activate(Context& context, const Activation& activation, const Real& x);

/// One direction of a layer.
struct Direction {
    Value inputs;  // steps x batch x gates * hidden: products of all inputs with W, and both biases
    Value recurrence;                    // gates * hidden x hidden
    std::optional<Value> recurrentBias;  // where it is not part of `inputs`
    std::optional<Value> peepholes;      // 3 * hidden
    std::vector<Activation> activations;
    Real hidden, cell;  // batch x hidden
    bool isReverse = false;
};

/// What RNN, LSTM and GRU have in common: the shapes, the walk over steps and directions, and the
/// outputs.
class RecurrentLayer {
  public:
    /// Computes the direction's next states from the products of a step's inputs.
    using Step = std::function<void(Direction& direction, const Value& inputs)>;

    /// `gates` and `activations`: their numbers per direction; `usual`: the activations if the
    /// file names none.
    RecurrentLayer(Context& context, std::uint32_t gates, std::size_t activations,
                   std::vector<std::string> usual);

    std::uint32_t size() const { return size_; }

    /// Part `index` of equal parts of the last dimension, one for each gate.
    Real part(const Value& value, std::uint32_t index);
    Value product(const Value& rows, const Value& weights, const std::optional<Value>& bias);
    /// Between the limits of the attribute `clip`.
    Real limit(const Real& x);

    /// Runs `step`, which changes the direction's states, for all steps and directions, and writes
    /// the outputs.
    void run(bool keepsRecurrentBias, bool hasCell, const Step& step);

  private:
    void write(std::size_t i, const std::vector<Value>& parts, std::uint32_t axis,
               const std::vector<std::uint32_t>& batchFirst, ElementType type);
    std::optional<Value> mask(std::uint32_t step) const;
    Value ofDirection(std::size_t i, std::uint32_t direction, const Dims& dims);
    Real state(std::size_t i, std::uint32_t direction);
    Direction prepare(std::uint32_t d, bool keepsRecurrentBias, bool hasCell);
    std::vector<Activation> activationsOf(std::uint32_t direction);

    Context& context_;
    graph::Emitter& emitter_;
    std::uint32_t gates_ = 1, directions_ = 1;
    std::size_t activations_ = 1;
    std::vector<std::string> usual_;
    bool batchFirst_ = false, isReverse_ = false;
    std::uint32_t steps_ = 0, batch_ = 0, size_ = 0;
    std::vector<std::int64_t> lengths_;
};

}  // namespace vnpu::sim::onnx
