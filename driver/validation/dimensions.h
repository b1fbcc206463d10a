// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driver/result.h"

namespace vnpu::driver {

/// 0 is an unknown dimension, empty an unknown rank (or a scalar).
using Dimensions = std::vector<std::uint32_t>;

/// Whether two shapes can be the same once everything is known.
bool canBeEqual(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other);

/// What is said in two places of one shape; INVALID_ARGUMENT where they contradict each other.
Result<Dimensions> combineDimensions(const Dimensions& one, const Dimensions& other);

}  // namespace vnpu::driver
