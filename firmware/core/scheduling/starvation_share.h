// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "firmware/api/policies.h"

namespace vnpu::fw {

/// The share of a busy device that each lower band is owed. While a job of a higher band is there,
/// a band with a job of its own gains `starvationPermille` of each 1000 cycles, and loses what it
/// executes. Once it is owed a slice (its quantum, or kDefaultSliceCycles) it goes first, until
/// nothing is owed any more. A band without one above it gains nothing, but keeps what it is owed:
/// clients that ask again after each answer leave gaps. A band without a job is owed nothing.
class StarvationShare {
  public:
    /// chosen: 0.1 ms at 1 GHz; much longer than a switch, short against what people notice
    static constexpr std::uint64_t kDefaultSliceCycles = 100'000;

    explicit StarvationShare(const SchedulingParameters& parameters) : parameters_(parameters) {}

    void observe(const Queue& queue);

    /// The highest band that goes first now, or kNoBand.
    std::uint32_t owedBand() const;

    /// Cycles until owedBand() changes if nothing comes.
    std::uint64_t cyclesToChange() const;

  private:
    void account(std::uint64_t cycles);
    /// Whether a higher band has a job, too.
    bool isBelow(std::uint32_t band) const {
        return (present_ >> band & 1U) != 0 && present_ >> (band + 1) != 0;
    }
    std::int64_t slice(std::uint32_t band) const;

    const SchedulingParameters& parameters_;
    std::uint64_t lastCycle_ = 0;
    std::uint32_t present_ = 0;  // since then: bands with a job, one bit each
    std::uint32_t running_ = kNoBand;
    std::array<std::int64_t, kBandCount> owed_{};  // thousandths of cycles
    std::array<bool, kBandCount> isServed_{};
};

}  // namespace vnpu::fw
