// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include <Eigen/Core>

#include "hw_model/kernels/operators/operator_call.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/regs/operand_checks.h"  // VNPU_TRY
#include "hw_model/regs/operand_notation.h"

namespace vnpu {

/// For VNPU_TRY_ASSIGN with kernel functions that return an empty optional after refusing the call.
template <typename T>
constexpr bool hasFailed(const std::optional<T>& result) {
    return !result.has_value();
}
template <typename T>
hw::kernels::Refusal failureOf(std::optional<T>&& /*result*/) {
    return {};
}

}  // namespace vnpu

namespace vnpu::hw::kernels {

inline constexpr TypeSet kFloatTypes = typeSet({TensorType::kFloat32, TensorType::kFloat16});
inline constexpr TypeSet kAsymm8Types =
        typeSet({TensorType::kQuant8Asymm, TensorType::kQuant8AsymmSigned});
inline constexpr TypeSet kInt32Type = typeSet({TensorType::kInt32});
inline constexpr TypeSet kBoolType = typeSet({TensorType::kBool8});
inline constexpr TypeSet kRealTypes = kFloatTypes | kAsymm8Types;
inline constexpr TypeSet kNumberTypes = kRealTypes | kInt32Type;

/// The operands of an operator, in the notation of hw_model/regs/operand_notation.h without <, >
/// and ~. A tensor letter that depends on T follows the type of the first T; a scalar letter allows
/// each of its types. ? also allows that all operands from here on are absent.
struct Signature {
    std::string_view inputs;
    std::string_view outputs;
    /// The types that T may have. If given, the operator computes with its tensors, which must then
    /// have a rank of at least 1, positive scales, and zero points within their types.
    TypeSet types = kTensorTypes;
};

/// kOk, or refuses a call whose operands do not match the signature.
[[nodiscard]] JobStatus requireSignature(OperatorCall& call, const Signature& signature);

// Each require...() returns kOk, or refuses the call and returns the refusal.

/// Requires an input that is present and has these dimensions.
[[nodiscard]] JobStatus requireDimensions(OperatorCall& call, std::size_t i,
                                          const Dimensions& dimensions);

/// Requires output 0 to be quantized like input 0, or by these numbers; `scale` is the scale's text
/// in the message.
[[nodiscard]] JobStatus requireInputsQuantization(OperatorCall& call);
[[nodiscard]] JobStatus requireQuantization(OperatorCall& call, float scale, std::int32_t zeroPoint,
                                            std::string_view scaleText);

/// Reads scalar input `i`; refuses the call if its value is not an activation.
std::optional<FusedActivation> readActivation(OperatorCall& call, std::size_t i);

/// The axis that `axis` selects out of `rank`; a negative `axis` counts from the end. Refuses the
/// call and returns nothing if there is no such axis.
std::optional<std::size_t> resolveAxis(OperatorCall& call, std::int32_t axis, std::size_t rank);

/// The values of an int32 tensor; refuses the call and returns nothing unless there are `count`.
std::optional<std::span<const std::int32_t>> int32List(OperatorCall& call, std::size_t input,
                                                       std::size_t count);

/// Whether an operand has an 8-bit type with a zero point.
inline bool isAsymm8(const Tensor& tensor) {
    return contains(kAsymm8Types, tensor.type);
}

/// The type in which elements of T are computed: single precision for half precision.
template <typename T>
using Computed = std::conditional_t<std::is_same_v<T, Eigen::half>, float, T>;

template <TypeSet kTypes, typename T, TensorType... kStored, typename Function>
void withElementIf(TensorType type, const Function& function) {
    if constexpr ((contains(kTypes, kStored) || ...)) {
        const bool isStored = ((type == kStored) || ...);
        if (isStored) {
            function(T{});
        }
    }
}

/// Calls function with a value of the C++ type that stores elements of `type`, which is one of
/// kTypes.
template <TypeSet kTypes, typename Function>
void withElement(TensorType type, const Function& function) {
    using enum TensorType;
    withElementIf<kTypes, float, kFloat32>(type, function);
    withElementIf<kTypes, Eigen::half, kFloat16>(type, function);
    withElementIf<kTypes, std::int32_t, kInt32>(type, function);
    withElementIf<kTypes, std::int16_t, kQuant16Symm>(type, function);
    withElementIf<kTypes, std::uint16_t, kQuant16Asymm>(type, function);
    withElementIf<kTypes, std::uint8_t, kQuant8Asymm, kBool8>(type, function);
    withElementIf<kTypes, std::int8_t, kQuant8AsymmSigned, kQuant8Symm, kQuant8SymmPerChannel>(
            type, function);
}

}  // namespace vnpu::hw::kernels
