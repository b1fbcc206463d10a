// SPDX-License-Identifier: Apache-2.0
#pragma once

// The SRAM in 64 equal blocks, one bit each. With these bits a job declares the parts that it uses,
// and the firmware tells the device which parts to preserve. The size of an SRAM is a whole number
// of KiB, so it divides evenly.

#include <cstdint>

namespace vnpu::hw {

inline constexpr std::uint32_t kSramBlockCount = 64;
inline constexpr std::uint64_t kAllSramBlocks = ~std::uint64_t{0};

constexpr std::uint64_t sramBlockBytes(std::uint64_t sramBytes) {
    return sramBytes / kSramBlockCount;
}

/// The blocks that contain bytes [begin, end); 0 for an empty range. `end` is at most `sramBytes`.
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
