// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::hw::kernels {

// Functions of 16-bit fixed-point numbers, bit exact with the fixed-point library that TFLite's
// reference kernels use (gemmlowp): "i integer bits" means value = raw / 2^(15 - i). Results have
// no integer bits.

/// 1 / (1 + e^-x), x with 3 integer bits.
std::int16_t fixedLogistic16(std::int16_t raw);

/// tanh of a value with 0 to 6 integer bits.
std::int16_t fixedTanh16(std::int16_t raw, int integerBits);

/// a * b, whose integer bits add up to those of the result: rounded to nearest, ties toward plus
/// infinity.
std::int16_t fixedMultiply16(std::int16_t a, std::int16_t b);

/// Saturates to int16.
std::int16_t saturate16(std::int64_t value);

}  // namespace vnpu::hw::kernels
