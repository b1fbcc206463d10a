// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/import/graph/report.h"
#include "sim/import/onnx/operator_context.h"

namespace vnpu::sim::onnx {

using graph::nameOf;
using graph::Status;

/// How an operator is imported.
struct Operator {
    const char* name = "";
    std::int64_t since = 1;  // version of ONNX's operators
    Status status = Status::kRefused;
    const char* how = "";  // NNAPI operations, or why it is refused
    void (*run)(Context& context) = nullptr;
    const char* domain = "";
};

/// The operators of each family, which are in the file of the same name in operators/.
std::span<const Operator> activationOperators();
std::span<const Operator> binaryOperators();
std::span<const Operator> controlOperators();
std::span<const Operator> convolutionOperators();
std::span<const Operator> einsumOperators();
std::span<const Operator> indexingOperators();
std::span<const Operator> joiningOperators();
std::span<const Operator> lossOperators();
std::span<const Operator> normalizationOperators();
std::span<const Operator> paddingOperators();
std::span<const Operator> poolingOperators();
std::span<const Operator> productOperators();
std::span<const Operator> quantizationOperators();
std::span<const Operator> recurrentOperators();
std::span<const Operator> reductionOperators();
std::span<const Operator> refusedOperators();
std::span<const Operator> reshapeOperators();
std::span<const Operator> resizeOperators();
std::span<const Operator> scatterOperators();
std::span<const Operator> sequenceOperators();
std::span<const Operator> shapeOperators();
std::span<const Operator> sliceOperators();
std::span<const Operator> transposedConvolutionOperators();
std::span<const Operator> unaryOperators();

/// All of them, in the order of their names.
const std::vector<Operator>& allOperators();

/// Imports the node. Refuses operators that have no row or come after the newest version that is
/// known.
void runOperator(Context& context);

}  // namespace vnpu::sim::onnx
