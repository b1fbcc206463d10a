// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "hw_model/kernels/operators/real_values.h"
#include "hw_model/kernels/operators/recurrent/lstm_shapes.h"
#include "hw_model/kernels/operators/recurrent/recurrent_activation.h"
#include "hw_model/kernels/operators/recurrent/sequence_layout.h"

namespace vnpu::hw::kernels {

struct LstmParameters {
    RecurrentActivation activation = RecurrentActivation::kNone;
    float cellClip = 0.0F;        // none if not positive
    float projectionClip = 0.0F;  // none if not positive
};

/// A batch of LSTM cells in float32; states pass from step to step unrounded.
class LstmCell {
  public:
    using Operands = LstmOperands;
    using Shape = LstmShape;
    using Parameters = LstmParameters;

    /// The operands must have been accepted by checkCell.
    LstmCell(const OperatorCall& call, const LstmOperands& operands, const LstmShape& shape,
             const LstmParameters& parameters);

    /// Writes the outputs of the batch, `outputStride` floats apart.
    void step(const StepInputs& inputs, float* output, std::size_t outputStride);

    const LstmShape& shape() const { return shape_; }
    std::vector<std::span<const float>> states() const { return {outputState_, cellState_}; }

  private:
    struct Gate {
        RealValues bias, peephole, normalization;
    };

    void startGates();
    void updateCell(std::size_t sequence);
    void finishGate(std::size_t gate, float* values, const float* cell) const;
    void normalize(const Gate& gate, float* values) const;
    void project();

    LstmShape shape_;
    LstmParameters parameters_;
    PackedWeights inputWeights_, auxiliaryWeights_, recurrentWeights_, projection_;
    std::array<Gate, kGates> gates_;
    RealValues projectionBias_;
    std::vector<float> outputState_, cellState_;
    std::vector<float> sums_;    // [batch][gates][units]
    std::vector<float> hidden_;  // [batch][units]
};

}  // namespace vnpu::hw::kernels
