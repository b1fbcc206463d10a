// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "hw_model/regs/rounding.h"

namespace vnpu::sim {

/// As hw::divideUp, in the type of `value`.
template <std::unsigned_integral Integer>
constexpr Integer divideUp(Integer value, std::type_identity_t<Integer> by) {
    return static_cast<Integer>(hw::divideUp(value, by));
}

/// The smallest multiple of `unit` that is at least `value`.
template <std::unsigned_integral Integer>
constexpr Integer roundUp(Integer value, std::type_identity_t<Integer> unit) {
    return divideUp(value, unit) * unit;
}

constexpr double real(std::uint64_t value) {
    return static_cast<double>(value);
}

}  // namespace vnpu::sim
