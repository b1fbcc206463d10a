// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// kOk, or refuses operands that do not fit two rows of letters, one per operand:
///   T  tensor, every T of one type     v  int32 tensor     k  tensor of 8-bit elements
///   F  tensor of either float type     X  anything
///   i, b, f  scalar: int32, bool, either float type
/// After a letter may stand a digit, its rank, and ?: it and what follows may be left out.
[[nodiscard]] JobStatus requireSignature(OperatorCall& call, std::string_view inputs,
                                         std::string_view outputs);

/// An int32 tensor as numbers; nothing, and the call is refused, unless there are `count`.
std::optional<std::span<const std::int32_t>> int32List(OperatorCall& call, std::size_t input,
                                                       std::size_t count);

}  // namespace vnpu::hw::kernels
