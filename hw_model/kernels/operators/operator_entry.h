// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "hw_model/kernels/operators/operator_checks.h"

namespace vnpu::hw::kernels {

/// An operator of the table. The kernel is only called with operands that match the signature.
struct OperatorEntry {
    Operator op{};
    Signature signature;
    JobStatus (*kernel)(OperatorCall& call) = nullptr;
};

// The entries defined in each source file.
std::span<const OperatorEntry> activationOperators();
std::span<const OperatorEntry> arithmeticOperators();
std::span<const OperatorEntry> comparisonOperators();
std::span<const OperatorEntry> conversionOperators();
std::span<const OperatorEntry> randomOperators();
std::span<const OperatorEntry> selectionOperators();
std::span<const OperatorEntry> normalizationOperators();
std::span<const OperatorEntry> reductionOperators();
std::span<const OperatorEntry> softmaxOperators();
std::span<const OperatorEntry> blockOperators();
std::span<const OperatorEntry> concatenationOperators();
std::span<const OperatorEntry> lookupOperators();
std::span<const OperatorEntry> lshOperators();
std::span<const OperatorEntry> paddingOperators();
std::span<const OperatorEntry> rearrangementOperators();
std::span<const OperatorEntry> resizeOperators();
std::span<const OperatorEntry> shapeOperators();
std::span<const OperatorEntry> sliceOperators();
std::span<const OperatorEntry> topKOperators();
std::span<const OperatorEntry> convolutionOperators();
std::span<const OperatorEntry> poolOperators();
std::span<const OperatorEntry> recurrentOperators();
std::span<const OperatorEntry> svdfOperators();
std::span<const OperatorEntry> quantized16BitLstmOperators();
std::span<const OperatorEntry> quantizedLstmOperators();
std::span<const OperatorEntry> boxTransformOperators();
std::span<const OperatorEntry> nmsOperators();
std::span<const OperatorEntry> postprocessingOperators();
std::span<const OperatorEntry> proposalOperators();
std::span<const OperatorEntry> keypointOperators();
std::span<const OperatorEntry> regionOperators();

}  // namespace vnpu::hw::kernels
