// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "firmware/api/policies.h"
#include "firmware/core/scheduling/starvation_share.h"
#include "firmware/core/scheduling/turn_order.h"

namespace vnpu::fw {

/// Applies the policy of the parameters (firmware/api/policies.h) to a queue, and holds the state
/// that policies need: turns, and the time that lower bands are owed. Uses no registers, memory or
/// clock.
class JobChooser {
  public:
    /// The parameters must outlive it and must not change.
    explicit JobChooser(const SchedulingParameters& parameters);

    /// Called before every choice with the queue as it has been since the previous call.
    void observe(const Queue& queue);

    /// The candidate that should run.
    const Candidate& choose(Queue queue) const;

    /// Called when a job gets the device.
    void onStart(const Candidate& candidate);

    /// Cycles until choose() may return another candidate for the same queue; kNeverCycles if it
    /// never will.
    std::uint64_t cyclesToLook(const Queue& queue) const;

  private:
    std::size_t turnIndexOf(const Candidate& one) const {
        return row_.turns == Turns::kWithinBand ? one.band : 0;
    }

    const SchedulingParameters& parameters_;
    const PolicyRow& row_;
    std::array<TurnOrder, kBandCount> turns_;  // by band, or the first for all
    StarvationShare share_;
};

}  // namespace vnpu::fw
