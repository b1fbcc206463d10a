// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace vnpu::sim {

/// The smallest value with at least `percent` of the values at or below it; `sorted` rises. 0 for
/// no values.
std::uint64_t nearestRank(const std::vector<std::uint64_t>& sorted, double percent);

}  // namespace vnpu::sim
