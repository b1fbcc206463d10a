// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace vnpu::driver {

/// Allocates ranges of one context's virtual addresses, lowest fit first. An unmapped guard page
/// follows each range, and the lowest megabyte stays free, so that a small or overrunning address
/// faults. Not thread-safe.
class VirtualAllocator {
  public:
    /// chosen: null and small offsets from it fault
    static constexpr std::uint64_t kLowestAddress = 1ULL << 20;

    VirtualAllocator();

    /// A range of whole pages whose address is `skewBytes` modulo `alignBytes` (a power of two,
    /// both whole pages), or nothing.
    std::optional<std::uint64_t> allocate(std::uint64_t sizeBytes, std::uint64_t alignBytes,
                                          std::uint64_t skewBytes);

    /// Takes back a range by its address.
    void free(std::uint64_t address);

    /// Size of the range handed out at `address`, 0 if there is none.
    std::uint64_t sizeOf(std::uint64_t address) const;

  private:
    std::map<std::uint64_t, std::uint64_t> free_;  // address to bytes, neighbors merged
    std::map<std::uint64_t, std::uint64_t> used_;  // address to bytes, without the guard page
};

}  // namespace vnpu::driver
