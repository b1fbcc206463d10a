// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hw_model/kernels/operators/real_values.h"
#include "hw_model/kernels/operators/recurrent/packed_weights.h"
#include "hw_model/kernels/operators/recurrent/recurrent_activation.h"
#include "hw_model/kernels/operators/recurrent/sequence_layout.h"

namespace vnpu::hw::kernels {

/// Positions of the operands of a fully connected recurrent cell among an operation's inputs.
struct RnnOperands {
    std::size_t weights = 0;    // then recurrent weights, bias and state
    std::size_t auxiliary = 0;  // weights of the auxiliary input; 0: the operation has none

    std::size_t recurrent() const { return weights + 1; }
    std::size_t bias() const { return weights + 2; }
    std::size_t state() const { return weights + 3; }
    std::size_t auxiliaryWeights() const { return auxiliary; }
};

struct RnnShape {
    std::uint32_t batch = 0;
    std::uint32_t input = 0;
    std::uint32_t auxiliary = 0;
    std::uint32_t units = 0;
    bool hasAuxiliary = false;

    std::uint32_t depth() const { return units; }
    std::vector<Dimensions> states() const { return {{batch, units}}; }
    std::vector<Dimensions> scratch() const { return {}; }
};

/// Checks the dimensions of all operands of a cell. On entry `shape` holds batch, input and
/// auxiliary; the function sets the other members.
[[nodiscard]] JobStatus checkCell(OperatorCall& call, const RnnOperands& operands, RnnShape& shape);

/// A batch of cells in float32; the state passes from step to step unrounded.
class RnnCell {
  public:
    using Operands = RnnOperands;
    using Shape = RnnShape;
    using Parameters = RecurrentActivation;

    /// The operands must have been accepted by checkCell.
    RnnCell(const OperatorCall& call, const RnnOperands& operands, const RnnShape& shape,
            RecurrentActivation activation);

    /// Writes the outputs of the batch, `outputStride` floats apart.
    void step(const StepInputs& inputs, float* output, std::size_t outputStride);

    const RnnShape& shape() const { return shape_; }
    std::vector<std::span<const float>> states() const { return {state_}; }

  private:
    RnnShape shape_;
    RecurrentActivation activation_;
    PackedWeights inputWeights_, auxiliaryWeights_, recurrentWeights_;
    RealValues bias_;
    std::vector<float> state_, sums_;
};

}  // namespace vnpu::hw::kernels
