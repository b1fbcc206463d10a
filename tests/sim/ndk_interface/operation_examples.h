// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/sim/ndk_interface/ndk_fixture.h"

namespace vnpu::test {

/// One valid use of an operation, in the notation of parseOperands().
struct OperationRow {
    std::string name;
    std::int32_t operation = 0;  // OperationCode
    std::string types;           // a letter for each type that T stands for: F H Q S I B
    std::string inputs;
    std::string outputs;
    std::size_t optional = 0;     // number of last inputs that may be left out
    bool hasFixedRank = false;    // the first input cannot have another dimension
    bool hasFixedOutputs = true;  // the number of outputs does not depend on values
};

/// What a scalar means, where not every value is allowed.
enum class ScalarRole { kAny, kActivation, kPadding, kPositive };

/// An operand of an example. It is a constant if it has a value.
struct ExampleOperand {
    OperandSpec spec;
    ScalarRole role = ScalarRole::kAny;
    std::optional<std::vector<std::byte>> value{};
};

/// A row for one of its types.
struct OperationExample {
    std::string name;  // "ADD of TENSOR_FLOAT32"
    const OperationRow* row = nullptr;
    std::vector<ExampleOperand> inputs, outputs;
};

/// Rows for the operations of NNAPI 1.3 but IF, WHILE and QUANTIZED_LSTM.
std::span<const OperationRow> operationRows();

/// All rows in all their types.
std::vector<OperationExample> operationExamples();

/// Operands, separated by spaces. Each is a letter, then optionally [dimensions], ={values} or
/// =value, which make it a constant.
///
/// Tensors: F float32, H float16, Q uint8, S int8 (scale 0.5, zero point in the middle), I int32,
/// B bool8, T the type of the example, L that with the scale of probabilities (1/256 from 0), N
/// that with the scale of values in -1 .. 1 (1/128), A the bias for input and filter of type T,
/// P per-channel filter (int8), K uint8 of scale 1 and zero point 0, Z uint8 of scale 1/128 and
/// zero point 128, C int16 of scale 1/2048, D the bias for Z and Q.
/// Scalars: i int32, b bool, x float16 if T is that and float32 otherwise, v of the type of T's
/// elements, p as v but int32 for quantized T; a fused activation, g padding scheme, s a positive
/// int32.
std::vector<ExampleOperand> parseOperands(std::string_view text, char type);

}  // namespace vnpu::test
