// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/core/scheduling/mechanisms/preemption_mechanism.h"

namespace vnpu::fw {

/// It is saved at its next checkpoint; without a save area it runs to its end.
class CheckpointPreemption final : public PreemptionMechanism {
  public:
    PreemptionAction decide(const Victim& victim) const override;
};

}  // namespace vnpu::fw
