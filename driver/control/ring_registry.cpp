// SPDX-License-Identifier: Apache-2.0
#include "driver/control/ring_registry.h"

namespace vnpu::driver {

void RingRegistry::attach(JobRing& ring) {
    const MutexLock guard(mutex_);
    rings_[ring.index()] = &ring;
    if (isShutDown_) {
        ring.shutDown();
    }
}

void RingRegistry::detach(const JobRing& ring) {
    const MutexLock guard(mutex_);
    rings_.erase(ring.index());
}

std::vector<JobCompletion> RingRegistry::collect() {
    std::vector<JobCompletion> all;
    const MutexLock guard(mutex_);
    for (const auto& [index, ring] : rings_) {
        const auto records = ring->collect();
        all.insert(all.end(), records.begin(), records.end());
    }
    return all;
}

std::map<std::uint32_t, std::uint32_t> RingRegistry::oldestRecords() {
    std::map<std::uint32_t, std::uint32_t> oldest;
    const MutexLock guard(mutex_);
    for (const auto& [index, ring] : rings_) {
        if (const auto record = ring->oldestRecord()) {
            oldest.emplace(index, *record);
        }
    }
    return oldest;
}

std::size_t RingRegistry::settle(std::uint64_t endedJob) {
    std::size_t left = 0;
    const MutexLock guard(mutex_);
    for (const auto& [index, ring] : rings_) {
        left += ring->settle(endedJob);
    }
    return left;
}

void RingRegistry::resume() {
    const MutexLock guard(mutex_);
    for (const auto& [index, ring] : rings_) {
        ring->resume();
    }
}

void RingRegistry::ringDoorbells() {
    const MutexLock guard(mutex_);
    for (const auto& [index, ring] : rings_) {
        ring->ringDoorbell();
    }
}

std::vector<std::pair<std::uint32_t, fw::RingHeader>> RingRegistry::headers() {
    std::vector<std::pair<std::uint32_t, fw::RingHeader>> headers;
    const MutexLock guard(mutex_);
    for (const auto& [index, ring] : rings_) {
        headers.emplace_back(index, ring->headerNow());
    }
    return headers;
}

void RingRegistry::shutDown() {
    const MutexLock guard(mutex_);
    isShutDown_ = true;
    for (const auto& [index, ring] : rings_) {
        ring->shutDown();
    }
}

}  // namespace vnpu::driver
