// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::hw {

/// Evenly spaced rows of one side of a transfer.
struct DmaPiece {
    std::uint64_t address = 0;  // bus address or SRAM offset of the first row
    std::uint64_t bytes = 0;    // of each row
    std::uint64_t rows = 1;
    std::uint64_t stride = 0;  // from row to row
};

}  // namespace vnpu::hw
