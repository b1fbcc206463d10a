// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/dimensions.h"

#include <algorithm>

#include "driver/validation/broken_rule.h"

namespace vnpu::driver {

bool canBeEqual(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other) {
    return one.empty() || other.empty() ||
           std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](std::uint32_t a, std::uint32_t b) { return a == 0 || b == 0 || a == b; });
}

Result<Dimensions> combineDimensions(const Dimensions& one, const Dimensions& other) {
    if (one.empty() || other.empty()) {
        return one.empty() ? other : one;
    }
    if (one.size() != other.size()) {
        return broken("rank is {}, elsewhere {}", other.size(), one.size());
    }
    Dimensions combined = one;
    for (std::size_t i = 0; i < combined.size(); ++i) {
        if (one[i] != 0 && other[i] != 0 && one[i] != other[i]) {
            return broken("dimension {} is {}, elsewhere {}", i, other[i], one[i]);
        }
        combined[i] = std::max(one[i], other[i]);
    }
    return combined;
}

}  // namespace vnpu::driver
