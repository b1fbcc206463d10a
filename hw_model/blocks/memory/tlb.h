// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace vnpu::hw {

/// Fully associative translation buffer with clock replacement: a hit marks its entry; the victim
/// is the first unmarked entry from the hand on, and passed marks are cleared. Simulation thread.
class Tlb {
  public:
    struct Entry {
        std::uint64_t key = 0;
        std::uint64_t busBase = 0;  // of the page
        bool isWritable = false;
        bool isLarge = false;
        bool isUsed = false;  // mark of the clock algorithm
        bool isValid = false;
    };

    explicit Tlb(std::uint32_t entries);

    /// The entry that covers the address, or null. The pointer is valid until the next insert or
    /// drop.
    const Entry* find(std::uint32_t context, std::uint64_t virtualAddress);

    /// Adds a page for which find() returned null.
    const Entry* insert(std::uint32_t context, std::uint64_t virtualAddress, std::uint64_t busBase,
                        bool isWritable, bool isLarge);

    void drop(std::uint32_t context);
    void dropAll();

  private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    Entry* lookUp(std::uint64_t key);
    std::uint32_t bucketOf(std::uint64_t key) const;
    void unlink(std::uint32_t index);

    std::vector<Entry> entries_;
    std::vector<std::uint32_t> next_;     // chain of a bucket
    std::vector<std::uint32_t> buckets_;  // first entry, power of two
    std::uint32_t hand_ = 0;
    std::uint32_t largeEntries_ = 0;  // number of valid ones; 0 saves the second look-up
};

}  // namespace vnpu::hw
