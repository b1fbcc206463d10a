// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "hw_model/regs/command_stream.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// What the cost of an operator depends on.
struct OperandShape {
    TensorType type = TensorType::kFloat32;
    Dimensions dimensions = {};
    bool isOmitted = false;
    bool isValueKnown = false;
    std::int32_t value = 0;  // of an int32 or bool scalar, with isValueKnown
};

/// Elements that go over the lanes: `steps` cycles each, and `exponentials` exponentials, divisions
/// or roots.
struct LanePass {
    std::uint64_t elements = 0;
    std::uint64_t steps = 0;
    std::uint64_t exponentials = 0;
};

/// The work of one operator: the sum of its terms. All saturate at 2^64 - 1.
struct OperatorWork {
    TensorType type = TensorType::kFloat32;  // decides how many lanes and products a cycle has
    std::uint64_t macs = 0;                  // multiply-accumulates
    std::array<LanePass, 3> passes{};
    std::uint64_t serialSteps = 0;  // comparisons, hashes: one after another
};

/// The work that the operator's definition asks for, in NNAPI's order of operands; formulas:
/// operatorCostFormula(). chosen: the plain algorithm of each definition, worst case where data
/// decide (boxes that survive a suppression, the extent of a region); no published processor's code
/// is counted.
///   - Nothing is charged for short rows; padding taps are computed. 8-bit functions of one element
///     go through a table: one step.
///   - Layouts do not matter. An operand that is missing or of another rank counts as extents of 1;
///     an axis that is not known is the last, a window that is not known is 1 x 1.
///   - The type is the data operand's, without products the wider one of data and first output.
OperatorWork operatorWork(Operator op, std::span<const OperandShape> inputs,
                          std::span<const OperandShape> outputs);

/// Cycles of the DSP: startupCycles + ceil(macs / M) + the passes' ceil(elements / L) * (steps +
/// exponentials * E) + serialSteps * scalarCycles; L the lanes of the type (16 bits: half of
/// lanes8), E exponentialCycles, M macs8 for 8 bits, half of it for 16, a quarter for 32-bit
/// integers, macsFloat for floats. Transfers between memory and DSP are not in it.
std::uint64_t dspCycles(const DspConfig& config, const OperatorWork& work);

/// The same of the vector unit: a serial step takes one cycle, a product is a step over the lanes.
std::uint64_t vectorCycles(const VectorConfig& config, const OperatorWork& work);

/// Of a command. Equals the other commands' work (timing/vector_timing.h) where both can do the
/// same. Trusts the command (validateCommand).
OperatorWork vectorWork(const VecOperator& command);
std::uint64_t vectorCycles(const VectorConfig& config, const VecOperator& command);

bool isFloat(TensorType type);

/// The work in readable terms, to which the start-up is to be added; "?" for an unknown code. n:
/// elements of the data input, m: elements of the outputs, E, L, M as above, S: scalarCycles
/// (vector unit: 1); parts of L and M round up.
std::string_view operatorCostFormula(Operator op);

}  // namespace vnpu::hw
