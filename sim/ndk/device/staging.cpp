// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/device/staging.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace vnpu::sim::ndk {

namespace {

constexpr std::uint64_t kSmallest = 4096;  // chosen: a page of the host
constexpr std::size_t kMostFree = 8;       // source: the request pools that the driver keeps mapped

}  // namespace

Result<SharedMemory> StagingPool::borrow(std::uint64_t sizeBytes) {
    SharedMemory memory;
    {
        const std::lock_guard lock(mutex_);
        const auto fitting = std::find_if(free_.begin(), free_.end(), [&](const auto& free) {
            return free->sizeBytes() >= sizeBytes;
        });
        if (fitting != free_.end()) {
            memory = std::move(*fitting);
            free_.erase(fitting);
        }
    }
    if (memory == nullptr) {
        VNPU_TRY_ASSIGN(memory, Memory::ofHost(std::bit_ceil(std::max(sizeBytes, kSmallest))));
    }
    Memory* const bytes = memory.get();
    return SharedMemory(bytes, [pool = weak_from_this(), memory](Memory*) mutable {
        if (const auto present = pool.lock()) {
            present->giveBack(std::move(memory));
        }
    });
}

void StagingPool::giveBack(SharedMemory memory) {
    const std::lock_guard lock(mutex_);
    if (free_.size() < kMostFree) {
        free_.push_back(std::move(memory));
    }
}

}  // namespace vnpu::sim::ndk
