// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw_model/kernels/operators/quantized_arithmetic.h"

namespace vnpu::hw::kernels {

/// 1 / sqrt(sum) by five Newton-Raphson steps, bit exact with the TFLite reference; for 0 and 1 the
/// largest value below one. The shift is at most 0.
QuantizedMultiplier inverseRoot(std::int32_t sum);

}  // namespace vnpu::hw::kernels
