// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "driver/control/job_ring.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::driver {

/// Who has which of the device's rings, so that an interrupt finds them all. Any thread.
class RingRegistry {
  public:
    explicit RingRegistry(std::uint32_t ringCount) : ringCount_(ringCount) {}

    /// Takes the lowest free ring index, if there is one.
    std::optional<std::uint32_t> take();
    void giveBack(std::uint32_t index);

    /// From attach to detach the ring is looked at on every interrupt.
    void attach(JobRing& ring);
    void detach(const JobRing& ring);

    /// New completion records of all attached rings, by ring index.
    std::vector<JobCompletion> collect();
    bool hasRecords();
    /// JobRing::settle() for all; returns how many jobs are left.
    std::size_t settle(std::uint64_t endedJob);
    void ringDoorbells();
    /// What stands in the attached rings' headers, by ring index.
    std::vector<std::pair<std::uint32_t, fw::RingHeader>> headers();
    /// Ends the waits of all attached rings.
    void shutDown();

  private:
    const std::uint32_t ringCount_;
    std::mutex mutex_;  // guards what follows; rank 65: JobRing's (70) is taken under it
    std::array<bool, hw::regs::kRingCount> isTaken_{};
    std::array<JobRing*, hw::regs::kRingCount> rings_{};
    bool isShutDown_ = false;
};

}  // namespace vnpu::driver
