// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/core/scheduling/policies/job_policy.h"

namespace vnpu::fw {

/// Tokens, after PREMA (Choi and Rhu, HPCA 2020). A job begins with the tokens of its band and
/// gains that number again for each time its estimate that it has waited:
///
///   tokens = priority * (1 + waited / estimate)      priority: 1/3, 1, 3, 9 from the idle band up
///
/// Those who hold at least as many as the largest priority that the richest one reaches are
/// eligible; of these the one with the least remaining time runs. So a short job that waits
/// overtakes long ones of its own band soon, and those of a higher band at last.
class TokenPolicy final : public JobPolicy {
  public:
    explicit TokenPolicy(const SchedulingParameters& parameters) : parameters_(parameters) {}

    const Candidate& choose(const Queue& queue) const override;
    std::uint64_t cyclesToLook(const Queue& queue) const override;

  private:
    const SchedulingParameters& parameters_;
};

}  // namespace vnpu::fw
