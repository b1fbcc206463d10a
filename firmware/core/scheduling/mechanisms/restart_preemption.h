// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/core/scheduling/mechanisms/preemption_mechanism.h"

namespace vnpu::fw {

/// It is stopped at once and begins from the start later; not more often than kMaxRestarts times.
class RestartPreemption final : public PreemptionMechanism {
  public:
    PreemptionAction decide(const Victim& victim) const override;
};

}  // namespace vnpu::fw
