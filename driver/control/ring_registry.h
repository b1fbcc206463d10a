// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "driver/control/index_pool.h"
#include "driver/control/job_ring.h"
#include "driver/port/mutex.h"

namespace vnpu::driver {

/// The device's rings in use, so that an interrupt reaches all of them. Any thread.
class RingRegistry {
  public:
    explicit RingRegistry(std::uint32_t ringCount) : indexes_(ringCount) {}

    /// The indexes of rings.
    IndexPool& indexes() { return indexes_; }

    /// From attach to detach, every interrupt collects the ring's records.
    void attach(JobRing& ring);
    void detach(const JobRing& ring);

    /// New completion records of all attached rings, by ring index.
    std::vector<JobCompletion> collect();
    /// The oldest record of each ring that has any: its number by ring index.
    std::map<std::uint32_t, std::uint32_t> oldestRecords();
    /// JobRing::settle() for all; returns the number of jobs left.
    std::size_t settle(std::uint64_t endedJob);
    /// JobRing::resume() for all.
    void resume();
    void ringDoorbells();
    /// The headers of the attached rings, by ring index.
    std::vector<std::pair<std::uint32_t, fw::RingHeader>> headers();
    /// Ends the waits of all attached rings.
    void shutDown();

  private:
    IndexPool indexes_;
    Mutex mutex_ VNPU_LOCK_RANK(65);
    std::map<std::uint32_t, JobRing*> rings_ VNPU_GUARDED_BY(mutex_);  // by index
    bool isShutDown_ VNPU_GUARDED_BY(mutex_) = false;
};

}  // namespace vnpu::driver
