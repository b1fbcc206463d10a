// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/dimensions.h"

#include <fmt/format.h>

#include <algorithm>

namespace vnpu::driver {

Result<Dimensions> combineDimensions(const Dimensions& one, const Dimensions& other) {
    if (one.empty() || other.empty()) {
        return one.empty() ? other : one;
    }
    if (one.size() != other.size()) {
        return invalidArgument(fmt::format("rank is {}, elsewhere {}", other.size(), one.size()));
    }
    Dimensions combined = one;
    for (std::size_t i = 0; i < combined.size(); ++i) {
        if (one[i] != 0 && other[i] != 0 && one[i] != other[i]) {
            return invalidArgument(
                    fmt::format("dimension {} is {}, elsewhere {}", i, other[i], one[i]));
        }
        combined[i] = std::max(one[i], other[i]);
    }
    return combined;
}

}  // namespace vnpu::driver
