// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driver/compiler/ir/copy_axes.h"
#include "driver/compiler/stream/command_list.h"

namespace vnpu::driver {

constexpr std::uint32_t kLongestRow = 0xFFFFFFFF;  // bytes

/// The fewest commands that copy elements of `elementBytes` over `axes`, with steps in bytes: axes
/// that are contiguous on both sides become one row, axes with even steps become one count. A row
/// that could be longer than `longestRow` becomes rows of that length where it is a multiple.
std::vector<hw::DmaTransfer> makeTransfers(const hw::MemoryRef& source,
                                           const hw::MemoryRef& destination, CopyAxes axes,
                                           std::uint32_t elementBytes,
                                           std::uint32_t longestRow = kLongestRow);

void addTransfers(CommandList& list, hw::Engine engine, const hw::MemoryRef& source,
                  const hw::MemoryRef& destination, CopyAxes axes, std::uint32_t elementBytes,
                  std::uint32_t longestRow = kLongestRow);

/// `sizeBytes` contiguous bytes.
void addTransfer(CommandList& list, hw::Engine engine, const hw::MemoryRef& source,
                 const hw::MemoryRef& destination, std::uint64_t sizeBytes);

inline hw::MemoryRef sramRef(std::uint64_t address) {
    return {hw::kSpaceSram, 0, 0, address};
}

inline hw::MemoryRef operator+(hw::MemoryRef ref, std::uint64_t bytes) {
    ref.offset += bytes;
    return ref;
}

}  // namespace vnpu::driver
