// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>

#include "driver/memory/pool_mapping.h"
#include "driver/port/mutex.h"

namespace vnpu::driver {

/// Identifies the bytes of a hidl_memory: the file (a mapping keeps its inode from being reused)
/// and the way of mapping it.
struct PoolKey {
    dev_t device = 0;
    ino_t inode = 0;
    bool isFile = false;  // an mmap_fd; the other kinds map from offset 0
    int accessMode = 0;   // of the descriptor: a read-only client must not get a writable mapping
    std::uint64_t sizeBytes = 0;
    std::array<std::int32_t, 3> mapping{};        // an mmap_fd's protection and offset
    std::uint64_t rowBytes = 0, strideBytes = 0;  // of a hardware buffer

    /// Nothing if the handle is malformed, or if the file has become too small for the pool.
    static std::optional<PoolKey> of(const android::hardware::hidl_memory& memory);
    friend bool operator==(const PoolKey&, const PoolKey&) = default;
};

/// Keeps the most recently used pools of one context mapped, so that a repeated execution with the
/// same pools needs neither mapping nor TLB invalidation. The end of a mapping waits for the
/// firmware, which an execution should not do before its job: surplus mappings stay until somebody
/// else has time, and may be used meanwhile. Any thread but the interrupt thread.
class PoolCache {
  public:
    static constexpr std::size_t kCapacity = 8;  // chosen: input and output pool of four models
    /// chosen: several times kCapacity, so that only a client with more pools waits for the end of
    /// mappings
    static constexpr std::size_t kMostMapped = 64;

    /// The present or a new mapping of `memory`. Ends another one only beyond kMostMapped, or if
    /// there is no room otherwise.
    Result<std::shared_ptr<const PoolMapping>> map(const PoolTarget& target,
                                                   const android::hardware::hidl_memory& memory);

    /// Whether there are surplus mappings and nobody has been asked yet to call endSurplus(); the
    /// caller is asked now.
    bool asksForEnd();
    /// Ends the least recently used mappings beyond kCapacity.
    void endSurplus();

    /// Drops all mappings.
    void clear();

  private:
    struct Entry {
        PoolKey key;
        std::shared_ptr<const PoolMapping> mapping;
    };

    std::shared_ptr<const PoolMapping> find(const PoolKey& key);
    /// Ends the least recently used mapping if there are more than `kept`; false otherwise.
    bool endOldest(std::size_t kept);

    Mutex mutex_ VNPU_LOCK_RANK(50);
    std::list<Entry> entries_ VNPU_GUARDED_BY(mutex_);  // most recently used first
    bool isEndDue_ VNPU_GUARDED_BY(mutex_) = false;
};

}  // namespace vnpu::driver
