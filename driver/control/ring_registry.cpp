// SPDX-License-Identifier: Apache-2.0
#include "driver/control/ring_registry.h"

#include <algorithm>

namespace vnpu::driver {

std::optional<std::uint32_t> RingRegistry::take() {
    const MutexLock guard(mutex_);
    for (std::uint32_t index = 0; index < ringCount_; ++index) {
        if (!isTaken_[index]) {
            isTaken_[index] = true;
            return index;
        }
    }
    return std::nullopt;
}

void RingRegistry::giveBack(std::uint32_t index) {
    const MutexLock guard(mutex_);
    isTaken_[index] = false;
}

void RingRegistry::attach(JobRing& ring) {
    const MutexLock guard(mutex_);
    rings_[ring.index()] = &ring;
    if (isShutDown_) {
        ring.shutDown();
    }
}

void RingRegistry::detach(const JobRing& ring) {
    const MutexLock guard(mutex_);
    rings_[ring.index()] = nullptr;
}

std::vector<JobCompletion> RingRegistry::collect() {
    std::vector<JobCompletion> all;
    const MutexLock guard(mutex_);
    for (JobRing* ring : rings_) {
        if (ring != nullptr) {
            const auto records = ring->collect();
            all.insert(all.end(), records.begin(), records.end());
        }
    }
    return all;
}

bool RingRegistry::hasRecords() {
    const MutexLock guard(mutex_);
    return std::any_of(rings_.begin(), rings_.end(),
                       [](JobRing* ring) { return ring != nullptr && ring->hasRecords(); });
}

std::size_t RingRegistry::settle(std::uint64_t endedJob) {
    std::size_t left = 0;
    const MutexLock guard(mutex_);
    for (JobRing* ring : rings_) {
        left += ring == nullptr ? 0 : ring->settle(endedJob);
    }
    return left;
}

void RingRegistry::ringDoorbells() {
    const MutexLock guard(mutex_);
    for (JobRing* ring : rings_) {
        if (ring != nullptr) {
            ring->ringDoorbell();
        }
    }
}

std::vector<std::pair<std::uint32_t, fw::RingHeader>> RingRegistry::headers() {
    std::vector<std::pair<std::uint32_t, fw::RingHeader>> headers;
    const MutexLock guard(mutex_);
    for (JobRing* ring : rings_) {
        if (ring != nullptr) {
            headers.emplace_back(ring->index(), ring->headerNow());
        }
    }
    return headers;
}

void RingRegistry::shutDown() {
    const MutexLock guard(mutex_);
    isShutDown_ = true;
    for (JobRing* ring : rings_) {
        if (ring != nullptr) {
            ring->shutDown();
        }
    }
}

}  // namespace vnpu::driver
