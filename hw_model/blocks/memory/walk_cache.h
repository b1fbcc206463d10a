// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vnpu::hw {

/// Which lines of page tables the MMU's walker has at hand: fully associative, the least recently
/// used line leaves. Holds no data; the walker reads entries from memory, so a stale line is never
/// seen. Simulation thread.
class WalkCache {
  public:
    /// `lineBytes` is a power of two.
    WalkCache(std::size_t lines, std::uint64_t lineBytes);

    /// Whether the line of `address` was there; it is from now on.
    bool take(std::uint64_t address);

    void dropAll() { lines_.clear(); }

  private:
    std::size_t capacity_;
    std::uint64_t lineBytes_;
    std::vector<std::uint64_t> lines_;  // the most recently used one last
};

}  // namespace vnpu::hw
