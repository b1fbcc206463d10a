// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "hw_model/kernels/operators/operator_call.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/regs/operand_checks.h"  // VNPU_TRY
#include "hw_model/regs/operand_notation.h"

namespace vnpu::hw::kernels {

inline constexpr TypeSet kFloatTypes = typeSet({TensorType::kFloat32, TensorType::kFloat16});
inline constexpr TypeSet kAsymm8Types =
        typeSet({TensorType::kQuant8Asymm, TensorType::kQuant8AsymmSigned});
inline constexpr TypeSet kInt32Type = typeSet({TensorType::kInt32});
inline constexpr TypeSet kBoolType = typeSet({TensorType::kBool8});
inline constexpr TypeSet kRealScalars =
        typeSet({TensorType::kFloat32Scalar, TensorType::kFloat16Scalar});

// Each require...() returns kOk, or refuses the call and returns the refusal.

/// Requires a tensor of rank 1 or more of one of `types`; an 8-bit asymmetric tensor must have a
/// positive scale and a zero point that its type can store.
[[nodiscard]] JobStatus requireInput(OperatorCall& call, std::size_t i, TypeSet types);
[[nodiscard]] JobStatus requireOutput(OperatorCall& call, std::size_t o, TypeSet types);

/// Requires a scalar, or an input that is left out.
[[nodiscard]] JobStatus requireScalar(OperatorCall& call, std::size_t i, TypeSet types);

/// Requires inputs `i` and `j` to have the same dimensions.
[[nodiscard]] JobStatus requireSameDimensions(OperatorCall& call, std::size_t i, std::size_t j);

/// Reads scalar input `i` into `activation`; refuses the call if the value is no activation.
[[nodiscard]] JobStatus readActivation(OperatorCall& call, std::size_t i,
                                       FusedActivation& activation);

/// The axis of `rank` axes that `axis` names; a negative `axis` counts from the end. Refuses the
/// call and returns nothing if there is no such axis.
std::optional<std::size_t> resolveAxis(OperatorCall& call, std::int32_t axis, std::size_t rank);

}  // namespace vnpu::hw::kernels
