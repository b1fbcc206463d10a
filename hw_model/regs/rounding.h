// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::hw {

/// Parts of `by`, not 0, that cover `value`. No sum overflows.
constexpr std::uint64_t divideUp(std::uint64_t value, std::uint64_t by) {
    return value / by + (value % by != 0 ? 1 : 0);
}

}  // namespace vnpu::hw
