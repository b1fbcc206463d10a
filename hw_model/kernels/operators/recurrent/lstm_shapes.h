// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// Gates in the order of the operands.
enum LstmGate : std::size_t { kInputGate, kForgetGate, kCellGate, kOutputGate, kGates };

/// Positions of the operands of an LSTM cell among an operation's inputs.
struct LstmOperands {
    std::size_t weights = 0;        // input to input gate; the other 16 weights and biases follow
    std::size_t states = 0;         // output state, cell state
    std::size_t normalization = 0;  // four, trailing ones may be absent
    std::size_t auxiliary = 0;      // four weights; 0: the operation has none

    std::size_t inputWeights(std::size_t gate) const { return weights + gate; }
    std::size_t recurrentWeights(std::size_t gate) const { return weights + kGates + gate; }
    std::size_t peephole(std::size_t gate) const {  // the cell gate has none
        return weights + 2 * kGates + (gate == kOutputGate ? 2 : gate);
    }
    std::size_t bias(std::size_t gate) const { return weights + 11 + gate; }
    std::size_t projection() const { return weights + 15; }
    std::size_t projectionBias() const { return weights + 16; }
    std::size_t outputState() const { return states; }
    std::size_t cellState() const { return states + 1; }
    std::size_t auxiliaryWeights() const { return auxiliary + kOutputGate; }
};

struct LstmShape {
    std::uint32_t batch = 0;
    std::uint32_t input = 0;
    std::uint32_t auxiliary = 0;
    std::uint32_t units = 0;
    std::uint32_t output = 0;
    bool hasInputGate = false;  // otherwise it is one minus the forget gate (CIFG)
    bool hasPeepholes = false;
    bool hasNormalization = false;
    bool hasProjection = false;
    bool hasAuxiliary = false;

    std::size_t firstGate() const { return hasInputGate ? kInputGate : kForgetGate; }
    std::size_t gates() const { return kGates - firstGate(); }
    std::uint32_t depth() const { return output; }
    std::vector<Dimensions> states() const { return {{batch, output}, {batch, units}}; }
    std::vector<Dimensions> scratch() const {
        return {{batch, static_cast<std::uint32_t>(gates() * units)}};
    }
};

/// Checks the dimensions of all operands of a cell. On entry `shape` holds batch, input and
/// auxiliary; the function sets the other members.
[[nodiscard]] JobStatus checkCell(OperatorCall& call, const LstmOperands& operands,
                                  LstmShape& shape);

}  // namespace vnpu::hw::kernels
