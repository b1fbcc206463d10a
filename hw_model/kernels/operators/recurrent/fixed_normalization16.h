// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "hw_model/kernels/operators/recurrent/fixed_multiplier.h"

namespace vnpu::hw::kernels {

/// Layer normalization in place, bit exact with TFLite's reference: normalizes the values to mean 0
/// and deviation 1 in units of 2^-10, multiplies by the weights, adds the biases and scales by
/// `factor`; the results have 3 integer bits.
void normalize16(std::span<std::int16_t> values, const std::int16_t* weights,
                 const std::int32_t* biases, const FixedMultiplier& factor);

}  // namespace vnpu::hw::kernels
