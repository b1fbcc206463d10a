// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/core/scheduling/policies/job_policy.h"
#include "firmware/core/scheduling/policies/turn_order.h"

namespace vnpu::fw {

/// The rings in turn by quantum, whatever their band and level.
class RoundRobinPolicy final : public JobPolicy {
  public:
    explicit RoundRobinPolicy(const SchedulingParameters& parameters) : turns_(parameters) {}

    const Candidate& choose(const Queue& queue) const override;
    void onStart(const Candidate& candidate) override { turns_.onStart(candidate); }
    std::uint64_t cyclesToLook(const Queue& queue) const override;

  private:
    TurnOrder turns_;
};

}  // namespace vnpu::fw
