// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "firmware/core/scheduling/policies/job_policy.h"
#include "firmware/core/scheduling/policies/starvation_share.h"
#include "firmware/core/scheduling/policies/turn_order.h"

namespace vnpu::fw {

/// The highest band, in it the highest level, in that the rings in turn by quantum. Lower bands
/// have their share if they are given one.
class BandsPolicy final : public JobPolicy {
  public:
    explicit BandsPolicy(const SchedulingParameters& parameters);

    void observe(const Queue& queue) override { share_.observe(queue); }
    const Candidate& choose(const Queue& queue) const override;
    void onStart(const Candidate& candidate) override { turns_[candidate.band].onStart(candidate); }
    std::uint64_t cyclesToLook(const Queue& queue) const override;

  private:
    std::array<TurnOrder, 4> turns_;
    StarvationShare share_;
};

}  // namespace vnpu::fw
