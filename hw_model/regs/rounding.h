// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::hw {

/// The quotient of `value` and `by`, rounded up; `by` is not 0. No sum overflows.
constexpr std::uint64_t divideUp(std::uint64_t value, std::uint64_t by) {
    return value / by + (value % by != 0 ? 1 : 0);
}

/// The least multiple of `unit` that is not below `value`; `unit` is not 0.
constexpr std::uint64_t roundUp(std::uint64_t value, std::uint64_t unit) {
    return divideUp(value, unit) * unit;
}

}  // namespace vnpu::hw
