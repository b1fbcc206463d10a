// SPDX-License-Identifier: Apache-2.0
#include "driver/runtime/ring_registry.h"

namespace vnpu::driver {

std::optional<std::uint32_t> RingRegistry::take() {
    const std::lock_guard guard(mutex_);
    for (std::uint32_t index = 0; index < ringCount_; ++index) {
        if (!isTaken_[index]) {
            isTaken_[index] = true;
            return index;
        }
    }
    return std::nullopt;
}

void RingRegistry::giveBack(std::uint32_t index) {
    const std::lock_guard guard(mutex_);
    isTaken_[index] = false;
}

void RingRegistry::attach(JobRing& ring) {
    const std::lock_guard guard(mutex_);
    rings_[ring.index()] = &ring;
    if (isShutDown_) {
        ring.shutDown();
    }
}

void RingRegistry::detach(const JobRing& ring) {
    const std::lock_guard guard(mutex_);
    rings_[ring.index()] = nullptr;
}

std::vector<fw::CompletionRecord> RingRegistry::collect() {
    std::vector<fw::CompletionRecord> all;
    const std::lock_guard guard(mutex_);
    for (JobRing* ring : rings_) {
        if (ring != nullptr) {
            const auto records = ring->collect();
            all.insert(all.end(), records.begin(), records.end());
        }
    }
    return all;
}

void RingRegistry::shutDown() {
    const std::lock_guard guard(mutex_);
    isShutDown_ = true;
    for (JobRing* ring : rings_) {
        if (ring != nullptr) {
            ring->shutDown();
        }
    }
}

}  // namespace vnpu::driver
