// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/core/scheduling/mechanisms/preemption_mechanism.h"

namespace vnpu::fw {

/// It runs to its end.
class NoPreemption final : public PreemptionMechanism {
  public:
    PreemptionAction decide(const Victim& victim) const override;
};

}  // namespace vnpu::fw
