// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "firmware/api/policies.h"

namespace vnpu::fw {

/// The time (Queue::served) of a busy device that each lower band is owed. While a higher band has
/// a job, a band with a job gains `starvationPermille` of each 1000 cycles and pays for the cycles
/// that it executes. Once it is owed a slice (its quantum, or kDefaultSliceCycles) it goes first
/// until nothing is owed. Without a job in a higher band it gains nothing but keeps its claim,
/// because clients that wait for each answer leave gaps. A band without a job is owed nothing.
class StarvationShare {
  public:
    /// chosen: 0.1 ms at 1 GHz; much longer than a context switch, too short for people to notice
    static constexpr std::uint64_t kDefaultSliceCycles = 100'000;

    explicit StarvationShare(const SchedulingParameters& parameters) : parameters_(parameters) {}

    void observe(const Queue& queue);

    /// The highest band that goes first now, or kNoBand.
    std::uint32_t owedBand() const;

    /// Cycles until owedBand() changes unless a job arrives or ends.
    std::uint64_t cyclesToChange() const;

  private:
    void account(std::uint64_t cycles);
    /// Whether a higher band has a job, too.
    bool isBelow(std::uint32_t band) const {
        return (present_ >> band & 1U) != 0 && present_ >> (band + 1) != 0;
    }
    std::int64_t slice(std::uint32_t band) const;

    const SchedulingParameters& parameters_;
    std::uint64_t lastServed_ = 0;
    std::uint32_t present_ = 0;  // since then: bands with a job, one bit each
    std::uint32_t running_ = kNoBand;
    std::array<std::int64_t, kBandCount> owed_{};  // thousandths of cycles
    std::array<bool, kBandCount> isServed_{};
};

}  // namespace vnpu::fw
