// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace vnpu::sim {

/// The smallest value with at least `percent` of the values at or below it; 0 without values.
/// `sorted` must be in ascending order.
std::uint64_t nearestRank(const std::vector<std::uint64_t>& sorted, double percent);

}  // namespace vnpu::sim
