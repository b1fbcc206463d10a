// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// Refuses a call whose operands do not fit two signatures (hw_model/regs/operand_notation.h), of
/// letters without +, *, <, > and ~; kOk otherwise. T is any type of tensors, and a letter that
/// depends on T fits each type that it may stand for. ? also allows the operands behind the letter
/// to be left out.
[[nodiscard]] JobStatus requireSignature(OperatorCall& call, std::string_view inputs,
                                         std::string_view outputs);

/// An int32 tensor as numbers; nothing, and the call is refused, unless there are `count`.
std::optional<std::span<const std::int32_t>> int32List(OperatorCall& call, std::size_t input,
                                                       std::size_t count);

}  // namespace vnpu::hw::kernels
