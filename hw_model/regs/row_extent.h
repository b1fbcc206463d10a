// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::hw {

/// Bytes from the start of the first row to the end of the last one, for rows laid out as in
/// DmaTransfer: three counts, each at least 1, and three strides. Only for rows known to lie within
/// a space; otherwise the sum of three products of 32-bit words could overflow 64 bits.
constexpr std::uint64_t rowExtent(std::uint32_t rowBytes, const std::uint32_t* counts,
                                  const std::uint32_t* strides) {
    std::uint64_t extent = rowBytes;
    for (int d = 0; d < 3; ++d) {
        extent += std::uint64_t{counts[d] - 1} * strides[d];
    }
    return extent;
}

}  // namespace vnpu::hw
