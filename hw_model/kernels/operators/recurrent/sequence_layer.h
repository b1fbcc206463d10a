// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hw_model/kernels/operators/operand_checks.h"
#include "hw_model/kernels/operators/real_values.h"
#include "hw_model/kernels/operators/recurrent/recurrent_activation.h"
#include "hw_model/kernels/operators/recurrent/sequence_layout.h"

namespace vnpu::hw::kernels {

// Checks, sequences and outputs that the float layers of all recurrent cells share.

/// Input 0: a float tensor of the rank.
void checkFloatInput(OperandChecks& checks, const OperatorCall& call, std::size_t rank);

/// All outputs have the type of input 0.
void checkOutputTypes(OperandChecks& checks, const OperatorCall& call);

/// An int32 input as the activation of a cell.
RecurrentActivation readCellActivation(OperandChecks& checks, const OperatorCall& call,
                                       std::size_t input);

/// The auxiliary input of a bidirectional layer, with the steps and the batch of input 0; returns
/// its depth, 0 if it is refused.
std::uint32_t checkAuxiliaryInput(OperandChecks& checks, const OperatorCall& call,
                                  std::size_t auxiliary);

/// A settled output of these values.
void storeValues(OperatorCall& call, std::size_t output, std::span<const float> values);

/// The sequences that a cell reads, from the first step to the last or backward.
struct CellSequences {
    SequenceLayout layout;
    const float* input = nullptr;
    const float* auxiliary = nullptr;
    bool isBackward = false;
};

/// Where the output of a cell goes: `offset` floats into vectors of `depth`.
struct OutputColumns {
    float* data;
    std::size_t depth;
    std::size_t offset;
};

/// Takes a cell (step(StepInputs, output, outputStride), shape().input, shape().auxiliary) through
/// all steps.
template <typename Cell>
void runCell(Cell& cell, const CellSequences& sequences, const OutputColumns& output) {
    const SequenceLayout& layout = sequences.layout;
    const std::size_t steps = layout.batch == 0 ? 0 : layout.steps;  // may be any number then
    for (std::size_t i = 0; i < steps; ++i) {
        const std::size_t t = sequences.isBackward ? steps - 1 - i : i;
        cell.step({layout.rows(sequences.input, t, cell.shape().input),
                   layout.rows(sequences.auxiliary, t, cell.shape().auxiliary)},
                  output.data + layout.offset(t, output.depth) + output.offset,
                  layout.stride(output.depth));
    }
}

/// Depths of the outputs of a bidirectional layer's cells, and whether they lie side by side
/// in output 0 or in outputs 0 and 1.
struct BidirectionalDepths {
    std::size_t forward = 0;
    std::size_t backward = 0;
    bool isMerged = false;

    /// Of the outputs of the steps.
    std::vector<Dimensions> dimensions(const SequenceLayout& layout) const;
    /// The output behind them.
    std::size_t firstState() const { return isMerged ? 1 : 2; }
};

/// The settled outputs of the steps of a bidirectional layer.
class BidirectionalResult {
  public:
    BidirectionalResult(OperatorCall& call, const BidirectionalDepths& depths);

    OutputColumns forward();
    OutputColumns backward();
    void store();

  private:
    BidirectionalDepths depths_;
    RealResult first_, second_;
};

}  // namespace vnpu::hw::kernels
