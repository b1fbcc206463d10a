// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "hw_model/kernels/operators/operator_call.h"
#include "hw_model/regs/operand_checks.h"  // VNPU_TRY

namespace vnpu::hw::kernels {

/// A set of tensor types, one bit each.
using TypeSet = std::uint32_t;
constexpr TypeSet typeSet(std::initializer_list<TensorType> types) {
    TypeSet set = 0;
    for (const TensorType type : types) {
        set |= TypeSet{1} << static_cast<unsigned>(type);
    }
    return set;
}
constexpr bool contains(TypeSet set, TensorType type) {
    return ((set >> static_cast<unsigned>(type)) & 1U) != 0;
}

inline constexpr TypeSet kFloatTypes = typeSet({TensorType::kFloat32, TensorType::kFloat16});
inline constexpr TypeSet kAsymm8Types =
        typeSet({TensorType::kQuant8Asymm, TensorType::kQuant8AsymmSigned});
inline constexpr TypeSet kInt32Type = typeSet({TensorType::kInt32});
inline constexpr TypeSet kBoolType = typeSet({TensorType::kBool8});
inline constexpr TypeSet kRealScalars =
        typeSet({TensorType::kFloat32Scalar, TensorType::kFloat16Scalar});

// Each gives kOk or refuses.

/// A tensor of rank 1 or more of one of `types`; where that is an 8-bit asymmetric type, with a
/// positive scale and a zero point that it can store.
[[nodiscard]] JobStatus requireInput(OperatorCall& call, std::size_t i, TypeSet types);
[[nodiscard]] JobStatus requireOutput(OperatorCall& call, std::size_t o, TypeSet types);

/// A scalar, or one that is left out.
[[nodiscard]] JobStatus requireScalar(OperatorCall& call, std::size_t i, TypeSet types);

/// Both dimensions the same; `i` and `j` are inputs.
[[nodiscard]] JobStatus requireSameDimensions(OperatorCall& call, std::size_t i, std::size_t j);

/// Which of `rank` axes `axis` means, negative ones counted from the end; nothing, and the call is
/// refused, if there is no such axis.
std::optional<std::size_t> resolveAxis(OperatorCall& call, std::int32_t axis, std::size_t rank);

}  // namespace vnpu::hw::kernels
