// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "hw_model/kernels/operators/recurrent/fixed_multiplier.h"

namespace vnpu::hw::kernels {

/// Layer normalization in place, bit exact with TFLite's reference: values to mean 0 and deviation
/// 1 in units of 2^-10, times the weights, plus the biases, times `factor` of the weights, as raw
/// values of 3 integer bits.
void normalize16(std::span<std::int16_t> values, const std::int16_t* weights,
                 const std::int32_t* biases, const FixedMultiplier& factor);

}  // namespace vnpu::hw::kernels
