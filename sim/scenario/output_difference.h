// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "sim/models/network.h"

namespace vnpu::sim {

/// Where two results of a tensor first differ, as the values are stored: `element 17 is 84,
/// expected 12 (3 of 1001 elements differ)`. Nothing if all elements are the same bytes. Both
/// results have the same size.
std::optional<std::string> differenceOf(const TensorDescription& tensor,
                                        std::span<const std::byte> expected,
                                        std::span<const std::byte> actual);

}  // namespace vnpu::sim
