// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::hw {

/// `value` divided by `by`, rounded up; `by` must not be 0. Does not overflow.
constexpr std::uint64_t divideUp(std::uint64_t value, std::uint64_t by) {
    return value / by + (value % by != 0 ? 1 : 0);
}

/// The smallest multiple of `unit` that is at least `value`; `unit` must not be 0.
constexpr std::uint64_t roundUp(std::uint64_t value, std::uint64_t unit) {
    return divideUp(value, unit) * unit;
}

}  // namespace vnpu::hw
