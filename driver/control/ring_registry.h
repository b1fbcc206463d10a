// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "driver/control/job_ring.h"
#include "driver/port/mutex.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::driver {

/// The device's rings in use, so that an interrupt reaches all of them. Any thread.
class RingRegistry {
  public:
    explicit RingRegistry(std::uint32_t ringCount) : ringCount_(ringCount) {}

    /// Takes the lowest free ring index, if there is one.
    std::optional<std::uint32_t> take();
    void giveBack(std::uint32_t index);

    /// From attach to detach, every interrupt collects the ring's records.
    void attach(JobRing& ring);
    void detach(const JobRing& ring);

    /// New completion records of all attached rings, by ring index.
    std::vector<JobCompletion> collect();
    bool hasRecords();
    /// JobRing::settle() for all; returns the number of jobs left.
    std::size_t settle(std::uint64_t endedJob);
    void ringDoorbells();
    /// The headers of the attached rings, by ring index.
    std::vector<std::pair<std::uint32_t, fw::RingHeader>> headers();
    /// Ends the waits of all attached rings.
    void shutDown();

  private:
    const std::uint32_t ringCount_;
    Mutex mutex_ VNPU_LOCK_RANK(65);
    std::array<bool, hw::regs::kRingCount> isTaken_ VNPU_GUARDED_BY(mutex_){};
    std::array<JobRing*, hw::regs::kRingCount> rings_ VNPU_GUARDED_BY(mutex_){};
    bool isShutDown_ VNPU_GUARDED_BY(mutex_) = false;
};

}  // namespace vnpu::driver
