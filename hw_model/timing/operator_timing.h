// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "hw_model/regs/command_stream.h"
#include "hw_model/timing/npu_config.h"
#include "hw_model/timing/operator_work.h"

namespace vnpu::hw {

/// The work that the operator's definition requires, with operands in NNAPI's order;
/// operatorCostFormula() has the formulas. chosen: the plain algorithm of each definition, and its
/// worst case where work depends on data (boxes that survive a suppression, the extent of a
/// region); it does not follow any published processor's code.
/// - Short rows cost nothing extra; padding taps are computed. An 8-bit function of one element is
/// a lookup in a table: one step.
/// - Layouts do not matter. A missing operand or one of another rank counts as extents of 1; an
/// unknown axis is the last, an unknown window is 1 x 1.
/// - The type is that of the data operand; without products, the wider one of the data operand and
/// the first output.
OperatorWork operatorWork(Operator op, std::span<const OperandShape> inputs,
                          std::span<const OperandShape> outputs);

/// Cycles of the DSP: startupCycles + ceil(macs / M) + the passes' ceil(elements / L) * (steps +
/// exponentials * E) + serialSteps * scalarCycles. L is the number of lanes for the type (half of
/// lanes8 for 16 bits), E is exponentialCycles, and M is macs8 for 8 bits, half of it for 16, a
/// quarter for 32-bit integers, and macsFloat for floats. Excludes transfers between memory and
/// DSP.
std::uint64_t dspCycles(const DspConfig& config, const OperatorWork& work);

/// Cycles of the vector unit by the same formula, but a serial step takes one cycle, and a product
/// is a step in the lanes.
std::uint64_t vectorCycles(const VectorConfig& config, const OperatorWork& work);

/// Work and cycles of a command. They equal those of the other commands (timing/vector_timing.h)
/// with the same function. The command must be valid (validateCommand).
OperatorWork vectorWork(const VecOperator& command);
std::uint64_t vectorCycles(const VectorConfig& config, const VecOperator& command);

bool isFloat(TensorType type);

/// The work as a readable formula, without the start-up; "?" for an unknown code. n: elements of
/// the data input; m: elements of the outputs; E, L, M as above; S: scalarCycles (vector unit: 1).
/// Quotients by L and M round up.
std::string_view operatorCostFormula(Operator op);

}  // namespace vnpu::hw
