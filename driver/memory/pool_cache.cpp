// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/pool_cache.h"

#include <cutils/native_handle.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <vnpu/hal/shared_memory.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace vnpu::driver {

namespace {

constexpr int kFdMemoryInts = 3;  // protection and the two words of the offset

/// Whether the file still covers the pool.
bool isCovered(const PoolKey& key, std::uint64_t fileBytes) {
    const std::uint64_t offset =
            !key.isFile
                    ? 0
                    : static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.mapping[1])) |
                              static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.mapping[2]))
                                      << 32;
    return offset <= fileBytes && key.sizeBytes <= fileBytes - offset;
}

}  // namespace

std::optional<PoolKey> PoolKey::of(const android::hardware::hidl_memory& memory) {
    const native_handle_t* handle = memory.handle();
    if (handle == nullptr || handle->numFds != 1) {
        return std::nullopt;
    }
    PoolKey key;
    key.isFile = memory.name() == "mmap_fd";
    key.sizeBytes = memory.size();
    if (key.isFile) {
        if (handle->numInts != kFdMemoryInts) {
            return std::nullopt;
        }
        std::copy_n(&handle->data[1], kFdMemoryInts, key.mapping.begin());
    } else if (memory.name() != "ashmem") {
        const auto buffer = hal::decodeBufferMemory(memory);
        if (!buffer) {
            return std::nullopt;
        }
        key.sizeBytes = buffer->layout.sizeBytes();
        key.rowBytes = buffer->layout.rowBytes;
        key.strideBytes = buffer->layout.strideBytes;
    }
    struct stat file = {};
    if (fstat(handle->data[0], &file) != 0 ||
        !isCovered(key, static_cast<std::uint64_t>(file.st_size))) {
        return std::nullopt;
    }
    key.accessMode = fcntl(handle->data[0], F_GETFL) & O_ACCMODE;
    key.device = file.st_dev;
    key.inode = file.st_ino;
    return key;
}

Result<std::shared_ptr<const PoolMapping>> PoolCache::map(
        const PoolTarget& target, const android::hardware::hidl_memory& memory) {
    const std::optional<PoolKey> key = PoolKey::of(memory);
    if (key) {
        if (auto known = find(*key)) {
            return known;
        }
    }
    auto mapping = PoolMapping::create(target, memory, PoolMapping::Use::kRequest);
    while (!mapping && mapping.error().status == ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT &&
           endOldest(kCapacity)) {
        mapping = PoolMapping::create(target, memory, PoolMapping::Use::kRequest);
    }
    if (mapping && key) {
        {
            const MutexLock guard(mutex_);
            entries_.push_front({*key, *mapping});
        }
        endOldest(kMostMapped);
    }
    return mapping;
}

bool PoolCache::asksForEnd() {
    const MutexLock guard(mutex_);
    return entries_.size() > kCapacity && !std::exchange(isEndDue_, true);
}

void PoolCache::endSurplus() {
    bool isDone = false;
    while (!isDone) {
        while (endOldest(kCapacity)) {
        }
        const MutexLock guard(mutex_);
        isDone = entries_.size() <= kCapacity;
        isEndDue_ = !isDone;
    }
}

void PoolCache::clear() {
    while (endOldest(0)) {
    }
}

std::shared_ptr<const PoolMapping> PoolCache::find(const PoolKey& key) {
    const MutexLock guard(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.key == key; });
    if (found == entries_.end()) {
        return nullptr;
    }
    entries_.splice(entries_.begin(), entries_, found);
    return found->mapping;
}

bool PoolCache::endOldest(std::size_t kept) {
    std::list<Entry> ended;  // without the lock, unless an execution still uses it
    const MutexLock guard(mutex_);
    if (entries_.size() <= kept) {
        return false;
    }
    ended.splice(ended.end(), entries_, std::prev(entries_.end()));
    return true;
}

}  // namespace vnpu::driver
