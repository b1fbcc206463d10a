// SPDX-License-Identifier: Apache-2.0
#pragma once

// The SRAM in 64 equal blocks, one bit each: how a job tells which parts of it it uses, and how the
// firmware tells the device which must stay. An SRAM is a whole number of KiB, so blocks are whole.

#include <cstdint>

namespace vnpu::hw {

inline constexpr std::uint32_t kSramBlockCount = 64;
inline constexpr std::uint64_t kAllSramBlocks = ~std::uint64_t{0};

constexpr std::uint64_t sramBlockBytes(std::uint64_t sramBytes) {
    return sramBytes / kSramBlockCount;
}

/// The blocks that bytes [begin, end) lie in; 0 where there are none. `end` is at most `sramBytes`.
constexpr std::uint64_t sramBlocksOf(std::uint64_t begin, std::uint64_t end,
                                     std::uint64_t sramBytes) {
    if (begin >= end) {
        return 0;
    }
    const std::uint64_t blockBytes = sramBlockBytes(sramBytes);
    const std::uint64_t first = begin / blockBytes;
    const std::uint64_t last = (end - 1) / blockBytes;
    return (kAllSramBlocks >> (kSramBlockCount - 1 - (last - first))) << first;
}

}  // namespace vnpu::hw
