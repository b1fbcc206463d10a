// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// Runs an operator to its end. Trusts the operands' memory (dimensions times element size bytes at
/// `data`), and nothing else: values, ranks, types and counts that make no sense are refused with
/// kBadOperand. Integer results do not depend on processor or thread count; floats neither.
using OperatorKernel = JobStatus (*)(OperatorCall& call);

/// The kernel of an operator, null if there is none.
OperatorKernel operatorKernel(Operator op);

/// kBadOpcode where there is no kernel.
JobStatus runOperator(Operator op, OperatorCall& call);

/// What one family of kernels brings into the table.
struct OperatorEntry {
    Operator op;
    OperatorKernel kernel;
};

std::span<const OperatorEntry> convolutionOperators();
std::span<const OperatorEntry> poolOperators();
std::span<const OperatorEntry> elementwiseOperators();
std::span<const OperatorEntry> activationOperators();
std::span<const OperatorEntry> conversionOperators();
std::span<const OperatorEntry> reductionOperators();
std::span<const OperatorEntry> normalizationOperators();
std::span<const OperatorEntry> rearrangementOperators();
std::span<const OperatorEntry> sliceOperators();
std::span<const OperatorEntry> lookupOperators();
std::span<const OperatorEntry> resizeOperators();
std::span<const OperatorEntry> regionOperators();
std::span<const OperatorEntry> randomOperators();
std::span<const OperatorEntry> recurrentOperators();
std::span<const OperatorEntry> lstmOperators();
std::span<const OperatorEntry> detectionOperators();

}  // namespace vnpu::hw::kernels
