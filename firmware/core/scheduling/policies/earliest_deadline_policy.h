// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/core/scheduling/policies/job_policy.h"

namespace vnpu::fw {

/// Earliest deadline first; jobs without one come last, in the order of arrival.
class EarliestDeadlinePolicy final : public JobPolicy {
  public:
    const Candidate& choose(const Queue& queue) const override;
};

}  // namespace vnpu::fw
