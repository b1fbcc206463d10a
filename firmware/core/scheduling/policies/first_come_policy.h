// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/core/scheduling/policies/job_policy.h"

namespace vnpu::fw {

/// In the order of arrival.
class FirstComePolicy final : public JobPolicy {
  public:
    const Candidate& choose(const Queue& queue) const override;
};

}  // namespace vnpu::fw
