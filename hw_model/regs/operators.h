// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace vnpu::hw {

/// Operators that the DSP executes as a whole, with the operands of the NNAPI 1.3 operation of the
/// same name in the same order; operators.def lists them. source: NNAPI's operation types (the
/// codes).
enum class Operator : std::uint16_t {
#define VNPU_OPERATOR(op, code, ...) op = (code),
#include "hw_model/regs/operators.def"
};

/// All operators, in ascending order of their codes.
inline constexpr Operator kOperators[] = {
#define VNPU_OPERATOR(op, ...) Operator::op,
#include "hw_model/regs/operators.def"
};

/// The size of a table that is indexed by code.
inline constexpr std::size_t kOperatorCount =
        static_cast<std::size_t>(std::end(kOperators)[-1]) + 1;

/// Whether an operator has this code.
bool isOperator(std::uint32_t code);

/// Whether the vector unit executes tiles of the operator (VecOperator).
bool isVectorOperator(Operator op);

/// The name in lower case ("conv-2d"); "?" for an unknown code.
std::string_view operatorName(Operator op);

/// A small call of an operator, in the notation of operand_notation.h.
struct OperatorExample {
    std::string_view inputs;
    std::string_view outputs;
};

/// The operator's example; empty for an unknown code.
OperatorExample operatorExample(Operator op);

}  // namespace vnpu::hw
