// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/core/scheduling/policies/job_policy.h"

namespace vnpu::fw {

/// Least remaining time first; a job whose time is unknown comes last.
class ShortestFirstPolicy final : public JobPolicy {
  public:
    const Candidate& choose(const Queue& queue) const override;
};

}  // namespace vnpu::fw
