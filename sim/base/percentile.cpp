// SPDX-License-Identifier: Apache-2.0
#include "sim/base/percentile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace vnpu::sim {

std::uint64_t nearestRank(const std::vector<std::uint64_t>& sorted, double percent) {
    if (sorted.empty()) {
        return 0;
    }
    const double rank = std::ceil(percent / 100.0 * static_cast<double>(sorted.size()));
    const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
    return sorted[std::min(index, sorted.size() - 1)];
}

}  // namespace vnpu::sim
