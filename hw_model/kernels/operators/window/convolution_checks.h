// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/operators/operator_checks.h"

namespace vnpu::hw::kernels {

// Positions of the tensors of convolutions and the fully connected layer.
inline constexpr std::size_t kInput = 0;
inline constexpr std::size_t kFilter = 1;
inline constexpr std::size_t kBias = 2;

/// kOk, or refuses an invalid filter or bias (shape or scales); the output channels lie along
/// `channelDimension` of the filter.
[[nodiscard]] JobStatus requireFilter(OperatorCall& call, std::uint32_t channelDimension);

}  // namespace vnpu::hw::kernels
