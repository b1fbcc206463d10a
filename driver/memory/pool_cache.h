// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>

#include "driver/memory/pool_mapping.h"

namespace vnpu::driver {

/// What makes two hidl_memory the same bytes: one file (which an own mapping keeps from being
/// reused under the same number) and one way of mapping it.
struct PoolKey {
    dev_t device = 0;
    ino_t inode = 0;
    bool isFile = false;  // an mmap_fd; the other kinds show their memory from its start
    int accessMode = 0;   // of the descriptor: who may only read must not find a writable mapping
    std::uint64_t sizeBytes = 0;
    std::array<std::int32_t, 3> mapping{};  // an mmap_fd's protection and offset

    /// Nothing if the handle cannot be told to be well formed, or the file has become too small for
    /// the pool, or the device would work on a copy.
    static std::optional<PoolKey> of(const android::hardware::hidl_memory& memory);
    friend bool operator==(const PoolKey&, const PoolKey&) = default;
};

/// The most recently used pools of one context stay mapped, so that a client that executes again
/// with the same pools pays neither mapping nor TLB invalidation. Any thread but the interrupt
/// thread.
class PoolCache {
  public:
    static constexpr std::size_t kCapacity = 8;  // chosen: input and output pool of four models

    /// The mapping of `memory`, from before or new. May end older mappings, which waits for the
    /// firmware.
    Result<std::shared_ptr<const PoolMapping>> map(const PoolTarget& target,
                                                   const android::hardware::hidl_memory& memory);

    /// Lets go of all mappings.
    void clear();

  private:
    struct Entry {
        PoolKey key;
        std::shared_ptr<const PoolMapping> mapping;
    };

    std::shared_ptr<const PoolMapping> find(const PoolKey& key);
    void insert(const PoolKey& key, const std::shared_ptr<const PoolMapping>& mapping);

    std::mutex mutex_;          // guards entries_; rank 50
    std::list<Entry> entries_;  // most recently used first
};

}  // namespace vnpu::driver
