// SPDX-License-Identifier: Apache-2.0
#pragma once

// Three-level page tables of the device's MMU. A device virtual address has 39 bits: 9 + 9 + 9 bits
// of table index and 12 bits of page offset. Tables are 4 KiB, 512 entries of 8 bytes, little
// endian, in memory that the device can reach by bus address. Sixteen adjacent, 64 KiB-aligned
// entries of the last level may be marked kLarge: one TLB entry covers them.

#include <cstdint>

namespace vnpu::hw {

inline constexpr std::uint32_t kPageBits = 12;
inline constexpr std::uint64_t kPageBytes = 1ULL << kPageBits;
inline constexpr std::uint64_t kLargePageBytes = 64ULL * 1024;
inline constexpr std::uint32_t kTableIndexBits = 9;
inline constexpr std::uint32_t kTableEntries = 1U << kTableIndexBits;
inline constexpr std::uint32_t kTableLevels = 3;
inline constexpr std::uint32_t kVirtualAddressBits = kPageBits + kTableLevels * kTableIndexBits;
inline constexpr std::uint64_t kVirtualAddressLimit = 1ULL << kVirtualAddressBits;
inline constexpr std::uint32_t kBusAddressBits = 48;

/// A page table entry of any level.
struct PageTableEntry {
    static constexpr std::uint64_t kValid = 1ULL << 0;
    static constexpr std::uint64_t kWritable = 1ULL << 1;  // last level only
    static constexpr std::uint64_t kLarge = 1ULL << 2;     // last level only
    static constexpr std::uint64_t kAddressMask =
            ((1ULL << kBusAddressBits) - 1) & ~(kPageBytes - 1);

    static constexpr std::uint64_t table(std::uint64_t busAddress) {
        return (busAddress & kAddressMask) | kValid;
    }
    static constexpr std::uint64_t page(std::uint64_t busAddress, bool writable, bool large) {
        return (busAddress & kAddressMask) | kValid | (writable ? kWritable : 0) |
               (large ? kLarge : 0);
    }
    static constexpr std::uint64_t address(std::uint64_t entry) { return entry & kAddressMask; }
};

/// Index into the table of `level` (0 is the root) for a virtual address.
constexpr std::uint32_t tableIndex(std::uint64_t virtualAddress, std::uint32_t level) {
    const std::uint32_t shift = kPageBits + (kTableLevels - 1 - level) * kTableIndexBits;
    return static_cast<std::uint32_t>(virtualAddress >> shift) & (kTableEntries - 1);
}

}  // namespace vnpu::hw
