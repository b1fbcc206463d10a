// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace vnpu::hw::kernels {

/// Sum of (a[k] - aZero) * (b[k] - bZero) modulo 2^32.
template <typename A, typename B>
std::int32_t productSum(const A* a, std::int32_t aZero, const B* b, std::int32_t bZero,
                        std::size_t count) {
    std::uint32_t sum = 0;
    for (std::size_t k = 0; k < count; ++k) {
        sum += static_cast<std::uint32_t>((a[k] - aZero) * (b[k] - bZero));
    }
    return static_cast<std::int32_t>(sum);
}

}  // namespace vnpu::hw::kernels
