// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vnpu::sim {

/// The smallest value with at least `percent` of the values at or below it; 0 without values.
/// `sorted` must be in ascending order.
inline std::uint64_t nearestRank(const std::vector<std::uint64_t>& sorted, double percent) {
    if (sorted.empty()) {
        return 0;
    }
    const double rank = std::ceil(percent / 100.0 * static_cast<double>(sorted.size()));
    const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
    return sorted[std::min(index, sorted.size() - 1)];
}

}  // namespace vnpu::sim
