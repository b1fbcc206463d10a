// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace vnpu::sim {

/// Parts of `by` that cover `value`; `by` is not 0.
template <std::unsigned_integral Integer>
constexpr Integer divideUp(Integer value, std::type_identity_t<Integer> by) {
    return (value + by - 1) / by;
}

/// The least multiple of `unit` that is not below `value`.
template <std::unsigned_integral Integer>
constexpr Integer roundUp(Integer value, std::type_identity_t<Integer> unit) {
    return divideUp(value, unit) * unit;
}

constexpr double real(std::uint64_t value) {
    return static_cast<double>(value);
}

}  // namespace vnpu::sim
