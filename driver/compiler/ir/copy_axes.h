// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vnpu::driver {

/// One dimension of a copy: its extent and the steps between neighbors on both sides, in elements
/// or in bytes.
struct CopyAxis {
    std::uint64_t extent = 1;
    std::uint64_t inputStride = 0;  // 0 repeats
    std::uint64_t outputStride = 0;
};

/// From the outermost to the innermost.
using CopyAxes = std::vector<CopyAxis>;

/// Steps that one DMA command counts beside a row. source: hw::DmaTransfer
inline constexpr std::size_t kCopyCounts = 3;

/// Product of the extents.
std::uint64_t elementsOf(std::span<const CopyAxis> axes);

/// The axes without those of one step, and neighbors with even steps on both sides as one.
CopyAxes joined(const CopyAxes& axes);

/// The innermost axes fit one DMA command; each step of the others takes one of its own.
std::uint64_t commandsOf(const CopyAxes& axes, bool endsInRow);

}  // namespace vnpu::driver
