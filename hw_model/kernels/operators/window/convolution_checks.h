// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/operators/operator_checks.h"

namespace vnpu::hw::kernels {

// Where convolutions and the fully connected layer have their tensors.
inline constexpr std::size_t kInput = 0;
inline constexpr std::size_t kFilter = 1;
inline constexpr std::size_t kBias = 2;

/// Requirements of an operator on its filter.
struct FilterRule {
    std::size_t rank = 2;
    std::uint32_t channelDimension = 0;  // of the outputs
    bool mayBePerChannel = false;
};

/// kOk, or refuses types of input, filter, bias and output that do not go together, quantizations
/// that make no sense, and a filter or bias whose shape is no filter's.
[[nodiscard]] JobStatus requireFilter(OperatorCall& call, const FilterRule& rule);

}  // namespace vnpu::hw::kernels
