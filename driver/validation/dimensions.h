// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "driver/result.h"

namespace vnpu::driver {

/// 0 is an unknown dimension, empty an unknown rank (or a scalar).
using Dimensions = std::vector<std::uint32_t>;

/// One shape from two declarations of it; INVALID_ARGUMENT where they contradict each other.
Result<Dimensions> combineDimensions(const Dimensions& one, const Dimensions& other);

}  // namespace vnpu::driver
