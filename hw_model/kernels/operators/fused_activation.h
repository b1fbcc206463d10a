// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// NNAPI's FusedActivationFunc, with its numbers.
enum class FusedActivation : std::int32_t { kNone = 0, kRelu = 1, kRelu1 = 2, kRelu6 = 3 };

/// Reads INT32 input `index`; refuses what is no activation.
[[nodiscard]] JobStatus readActivation(OperatorCall& call, std::size_t index,
                                       FusedActivation& activation);

/// The reals that an activation lets through.
struct RealRange {
    float low;
    float high;
};
RealRange activationRange(FusedActivation activation);

/// The stored values that it lets through of a quantised tensor: those of its type whose scale is
/// positive.
struct StoredRange {
    std::int32_t low;
    std::int32_t high;
};
StoredRange activationRange(FusedActivation activation, const Tensor& output);

/// Smallest and largest stored value of a quantised type.
StoredRange storedRange(TensorType type);

}  // namespace vnpu::hw::kernels
