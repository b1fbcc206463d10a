// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/core/scheduling/policies/job_policy.h"

namespace vnpu::fw {

/// Least laxity first: what is left until the deadline when the rest of the job has run. Jobs
/// without a deadline come last; an unknown rest counts as none. Looked at on events only: two jobs
/// of equal laxity do not take the device from each other all the time.
class LeastLaxityPolicy final : public JobPolicy {
  public:
    const Candidate& choose(const Queue& queue) const override;
};

}  // namespace vnpu::fw
